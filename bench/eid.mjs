import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import forge from 'node-forge';
import { measureApart } from './apart.mjs';
import { load, quantile } from './http-load.mjs';
import { median } from './measure.mjs';

const child = fileURLToPath(new URL('eid-child.mjs', import.meta.url));
const connections = 32;
const openSessions = 10_000;
const slowPolls = 1000;
/** Test persons: one answers after 1.5 s, the other never. */
const answering = '6000101994';
const silent = '0103901419';
/** Response time of the slow provider, slightly longer than a polling interval. */
const slowMs = 5000;
/** Longer than the response time of a simulated person. */
const answeredMs = 1600;

/** Logins by e-ID: rates over HTTP, memory of pending logins, QR codes, and slow providers. */
export async function eidRates({ directory }, timing) {
  const home = mkdtempSync(join(directory, 'eid-'));
  const provider = await openProvider(home);
  const server = await openChild('serve', home, true);
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * slowPolls });
  try {
    const ask = asker(server.answer, agent);
    const rates = await measurePairs(server, ask, timing);
    const memory = await measureMemory(server, ask);
    const waits = await measureSlow(server, provider, ask, timing);
    const codes = await measureCodes(home, timing);
    return [
      { title: 'e-ID over HTTP, one core', rows: rates },
      { title: 'e-ID, memory', kind: 'memory', rows: memory },
      { title: 'e-ID, waiting for /healthz', kind: 'waits', rows: waits },
      { title: 'e-ID, QR code of a second', rows: codes },
    ];
  } finally {
    agent.destroy();
    await Promise.all([server.end(), provider.end()]);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Requests of the clients; each response is checked. */
function asker({ url, flowKey }, agent) {
  const send = async (method, path, body) => {
    const { status, text } = await exchange(agent, method, new URL(path, url), body);
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  const app = { flowKey, authenticationContextType: 'App' };
  const startFor = async (ssn) =>
    (await send('POST', '/api/auth/start', { ...app, ssn })).authRequestId;
  const poll = (authRequestId) => send('POST', '/api/auth/poll', { authRequestId, flowKey });
  return {
    start: () => startFor(silent),
    startAnswering: () => startFor(answering),
    async startAndPoll() {
      const { customer } = await poll(await startFor(silent));
      if (customer !== null) throw new Error('answered immediately');
    },
    async finish(authRequestId) {
      const { customer } = await poll(authRequestId);
      if (!customer) throw new Error('not answered');
    },
    startSlow: async () => (await send('POST', '/auth/eid-se/start', { flowKey })).token,
    pollSlow: (token) => send('GET', `/auth/eid-se/status/token/${token}?FlowKey=${flowKey}`),
  };
}

function exchange(agent, method, url, body) {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(payload);
  });
}

/** Repeats the work, several at a time; returns the number of repetitions. */
async function repeat(work, forMs) {
  const endAt = performance.now() + forMs;
  let count = 0;
  const one = async () => {
    while (performance.now() < endAt) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return count;
}

async function measurePairs(
  server,
  { startAnswering, startAndPoll, finish },
  { rounds, roundMs, warmUpMs },
) {
  const sampled = async (work) => {
    await server.use();
    const startedAt = performance.now();
    const count = await work();
    const { cpuMs, rssMiB } = await server.use();
    const wallMs = (performance.now() - startedAt) / count;
    return { count, cpuMs: cpuMs / count, wallMs, rssMiB };
  };
  const { url } = server.answer;
  const health = async (forMs) =>
    sampled(async () => (await load({ url, path: '/healthz', connections, forMs })).count);
  const pairs = (forMs) => sampled(() => repeat(startAndPoll, forMs));
  const whole = async (forMs) => {
    const tokens = [];
    const started = await sampled(() =>
      repeat(async () => tokens.push(await startAnswering()), forMs / 2),
    );
    await pass(answeredMs);
    const { length } = tokens;
    const finished = await sampled(async () => {
      const one = async () => {
        for (let token = tokens.pop(); token !== undefined; token = tokens.pop())
          await finish(token);
      };
      await Promise.all(Array.from({ length: connections }, one));
      return length;
    });
    const sum = (name) => started[name] + finished[name];
    return { ...finished, cpuMs: sum('cpuMs'), wallMs: sum('wallMs') };
  };
  const contenders = [
    ['GET /healthz', health],
    ['start and poll', pairs],
    ['start, and poll when answered', whole],
  ];
  const samples = contenders.map(() => []);
  for (const [, ask] of contenders) await ask(warmUpMs);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, ask]] of contenders.entries())
      samples[index].push(await ask(2 * roundMs));
  }
  return contenders.map(([name], index) => rowOf(name, samples[index], samples[0]));
}

function rowOf(name, samples, first) {
  const cpuMs = median(samples.map((sample) => sample.cpuMs));
  const wallMs = median(samples.map((sample) => sample.wallMs));
  return {
    name,
    rounds: samples.length,
    operations: samples.reduce((sum, { count }) => sum + count, 0),
    cpuMs,
    wallMs,
    cpuPerSecond: 1000 / cpuMs,
    wallPerSecond: 1000 / wallMs,
    ratio: median(samples.map((sample, round) => first[round].cpuMs / sample.cpuMs)),
    peakMiB: Math.max(...samples.map(({ rssMiB }) => rssMiB)),
  };
}

/** Memory of pending sessions. The server has already started many before. */
async function measureMemory(server, { start }) {
  const none = await server.use({ collects: true });
  let left = openSessions;
  const one = async () => {
    while (left-- > 0) await start();
  };
  await Promise.all(Array.from({ length: connections }, one));
  const many = await server.use({ collects: true });
  const row = (name, { rssMiB }) => ({ name, rssMiB, moreMiB: rssMiB - none.rssMiB });
  return [row('none', none), row('10,000 open sessions', many)];
}

/** A thousand polls are always waiting for a slow provider, at even intervals. */
async function measureSlow(server, provider, { startSlow, pollSlow }, { roundMs }) {
  const { url } = server.answer;
  const forMs = Math.max(10_000, 20 * roundMs);
  const health = async (name) => {
    const found = await load({ url, path: '/healthz', connections: 4, forMs });
    const { p50Ms, p99Ms, wallPerSecond } = waitOf(found);
    return { name, p50Ms, p99Ms, wallPerSecond, peakMiB: (await server.use()).rssMiB };
  };
  const alone = await health('alone');
  const tokens = [];
  for (let at = 0; at < slowPolls; at++) tokens.push(await startSlow());
  await provider.use();
  let goesOn = true;
  let answered = 0;
  const person = async (token, at) => {
    await pass((at * slowMs) / slowPolls);
    while (goesOn) {
      const { waitingForUserInput } = await pollSlow(token);
      if (waitingForUserInput !== true) throw new Error('the provider has answered');
      answered++;
    }
  };
  const all = Promise.all(tokens.map(person));
  all.catch(() => undefined);
  await pass(slowMs * 1.2);
  const beside = await Promise.race([health('beside 1,000 polls'), all]);
  const { most } = await provider.use();
  goesOn = false;
  await all;
  if (most < 0.95 * slowPolls) {
    throw new Error(
      `the provider had ${most} of ${slowPolls} concurrent requests (${answered} polls)`,
    );
  }
  return [alone, beside];
}

function waitOf({ latenciesMs, count, wallMs }) {
  const wallPerSecond = (count / wallMs) * 1000;
  return { p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99), wallPerSecond };
}

function measureCodes(home, timing) {
  const names = ['hmac', 'refresh simulator', 'refresh BankID'];
  const titles = { hmac: 'raw limit: HMAC-SHA256' };
  const contenders = names.map((name) => ({
    name: titles[name] ?? name,
    command: [process.execPath, child, name, home],
  }));
  return measureApart(contenders, { ...timing, warmUpMs: timing.warmUpMs / 2 });
}

/** The slow provider, with the configuration files of the service for it. */
async function openProvider(home) {
  const { certificate, key } = tlsFiles();
  writeFileSync(join(home, 'cert.pem'), certificate);
  writeFileSync(join(home, 'key.pem'), key);
  const provider = await openChild('provider', home);
  const transport = { caFile: 'cert.pem', certificateFile: 'cert.pem', keyFile: 'key.pem' };
  const slow = { driver: 'bankid-se', url: provider.answer.url, anchors: ['cert.pem'], transport };
  const content = { providers: { slow }, methods: { 'eid-se': 'slow' } };
  writeFileSync(join(home, 'eid.json'), JSON.stringify(content));
  return provider;
}

function tlsFiles() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'pem', type: 'pkcs1' });
  const own = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(own.n, own.e);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  const name = [{ name: 'commonName', value: 'slow provider' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ]);
  certificate.sign(own, forge.md.sha256.create());
  return { certificate: forge.pki.certificateToPem(certificate), key };
}

/** @param isPinned gives the process one core, where `taskset` can */
async function openChild(mode, home, isPinned = false) {
  const hasPins = isPinned && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const node = [process.execPath, '--expose-gc', child, mode, home];
  const [program, ...words] = hasPins ? ['taskset', '-c', '0', ...node] : node;
  const process_ = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => process_.on('exit', resolve));
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`${mode}: ended with ${await ended}`);
    return JSON.parse(value);
  };
  return {
    answer: await next(),
    /** Returns the resources used since the last call. */
    use(options = {}) {
      process_.stdin.write(`${JSON.stringify(options)}\n`);
      return next();
    },
    async end() {
      process_.stdin.end();
      await ended;
    },
  };
}
