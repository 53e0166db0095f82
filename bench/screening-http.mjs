// `npm run bench:screening-http`: screenings over HTTP with their audit rows, against lists of
// 500,000 names (UN, OFAC and synthetic ones of real words) imported as files, at 8 connections;
// compared with GET /healthz in the same run. Each request has a different name, until all have
// been used once; the second interval shows how much compilation and new words add to the first. A
// number after it is that of search threads (setting `screening.threads`); jobs have separate
// threads, as in `innsigli serve`. Needs ../shared/corpora and `npm run build`; goals are those of
// a machine that creates 3,500 RSA-2048 signatures per CPU second, and scaled.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { load, quantile } from './http-load.mjs';

const NAMES = 500_000;
const CONNECTIONS = 8;
const FOR_MS = 15_000;
const threads = process.argv.slice(2, 3);
const line = (...parts) => console.log(parts.join(' '));

const factor = 3500 / signaturesOfSecond();
line(`time goals × ${factor.toFixed(2)}`);
const home = mkdtempSync(join(tmpdir(), 'innsigli-screening-'));
try {
  const maker = startChild('make', home);
  await maker.answer;
  await maker.stop();
  const filled = startChild('fill', home);
  const made = await filled.answer;
  await filled.stop();
  line(
    `import of ${made.names} names from file to swapped: ${made.namesOfSecond.toFixed(0)} per CPU`,
    `second (goal ${(60_000 / factor).toFixed(0)}), ${made.peakMiB.toFixed(0)} MiB at the peak`,
  );
  const server = startChild('serve', home, ...threads);
  const { url, startMs, searchers } = await server.answer;
  const headers = { authorization: made.authorization, 'content-type': 'application/json' };
  let number = 0;
  const body = () => {
    const originalName = searchers[number++ % searchers.length];
    const asked = { countryCode: 'IS', flowKey: made.flowKey, originalName, MatchRate: 75 };
    return Buffer.from(JSON.stringify(asked));
  };
  const request = { url, method: 'POST', path: '/api/watchlist/person', headers, body };
  // Immediately: the service opens its lists on its own meanwhile.
  const first = await load({ ...request, connections: 1, forMs: 1 });
  const readyMs = startMs + (first.latenciesMs[0] ?? 0);
  line(`first response after ${readyMs.toFixed(0)} ms (goal ${(2000 * factor).toFixed(0)})`);
  const health = await load({ url, path: '/healthz', connections: CONNECTIONS, forMs: 3000 });
  told('GET /healthz', health);
  await load({ ...request, connections: 1, forMs: 2000 });
  const goal = `goal of p99 ${(15 * factor).toFixed(0)} ms`;
  line(`POST /api/watchlist/person (${goal}), the first ${FOR_MS / 1000} s and the next`);
  for (const span of ['first', 'second']) {
    const before = server.cpu();
    const screened = await load({ ...request, connections: CONNECTIONS, forMs: FOR_MS });
    const cpu = server.cpu().map((ms, at) => ((ms - before[at]) / screened.count).toFixed(2));
    told(`  ${span}`, screened);
    line(`  CPU of the service: ${cpu[0]} ms per request, ${cpu[1]} in the main thread`);
  }
  await server.stop();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Starts a process of `screening-child.mjs` and returns the line it prints. */
function startChild(mode, folder, ...more) {
  const program = join(import.meta.dirname, 'screening-child.mjs');
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [program, mode, folder, String(NAMES), ...more], { stdio });
  const answer = (async () => {
    for await (const text of createInterface({ input: child.stdout })) return JSON.parse(text);
    throw new Error(`${mode}: no response`);
  })();
  const exit = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await exit;
  };
  return { answer, stop, cpu: () => cpuOf(child.pid) };
}

/** CPU milliseconds of a process, and of its main thread; zeros if Linux does not report them. */
function cpuOf(pid) {
  const all = `/proc/${pid}`;
  if (!existsSync(`${all}/task/${pid}/schedstat`)) return [0, 0];
  const [user, system] = readFileSync(`${all}/stat`, 'utf8')
    .split(') ')[1]
    .split(' ')
    .slice(11, 13);
  const [first] = readFileSync(`${all}/task/${pid}/schedstat`, 'utf8').split(' ');
  return [10 * (Number(user) + Number(system)), Number(first) / 1e6];
}

function told(what, { count, wallMs, latenciesMs, statuses }) {
  const [middle, high] = [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(1));
  const rate = ((count / wallMs) * 1000).toFixed(0);
  line(`${what}: ${rate}/s, p50 ${middle} ms, p99 ${high} ms, ${JSON.stringify(statuses)}`);
}

function signaturesOfSecond() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const data = randomBytes(32);
  const cpuMs = () => process.cpuUsage().user / 1000;
  const at = cpuMs();
  let signatures = 0;
  while (cpuMs() - at < 1000) {
    sign('sha256', data, privateKey);
    signatures += 1;
  }
  return signatures;
}
