import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PDFDocument } from 'pdf-lib';
import { load, quantile } from './http-load.mjs';
import { median } from './measure.mjs';

const child = fileURLToPath(new URL('http-child.mjs', import.meta.url));
const agreement = readFileSync(new URL('../fixtures/pdf/agreement.pdf', import.meta.url));
const since = 'StartDate=2020-01-01&EndDate=2100-01-01';
const connections = 32;

/** The HTTP interface over loopback: rates, latencies, and memory. */
export async function httpRates({ directory }, timing) {
  const home = mkdtempSync(join(directory, 'http-'));
  try {
    const filled = await openServer('fill', home);
    await filled.end();
    const open = async (mode, isPinned) => {
      const server = await openServer(mode, home, isPinned);
      return { ...server, answer: { ...filled.answer, ...server.answer } };
    };
    const rates = await measureRates(await open('raw', true), await open('threads', true), timing);
    const waits = await measureWaits(await open('threads', true), timing);
    waits.push(await measureIdle(await open('threads', true), timing));
    const large = await largeDocument();
    for (const mode of ['alone', 'threads']) {
      waits.push(...(await measureStalls(await open(mode, false), mode, large, timing)));
    }
    return [...rates, { title: 'HTTP, waiting for a small answer', kind: 'waits', rows: waits }];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The requests, with the keys of the server's data. */
function requestsTo({ url, authorization, flowKey, processKey, signeeKey }) {
  const headers = { authorization };
  const pdf = `/api/pdf/${processKey}/${signeeKey}.pdf`;
  const type = { 'content-type': 'application/pdf' };
  return {
    health: { url, path: '/healthz' },
    pdf: { url, path: pdf },
    total: { url, path: `/api/signing/activity/total?${since}`, headers },
    activity: { url, path: `/api/signing/activity?${since}&Take=10`, headers },
    flows: { url, path: '/api/management/flow', headers },
    seal: {
      url,
      method: 'POST',
      path: `/api/management/sealing?FlowKey=${flowKey}`,
      headers: { ...headers, ...type, accept: 'application/pdf' },
    },
    verify: { url, method: 'POST', path: '/api/verify', headers: { ...headers, ...type } },
  };
}

async function measureRates(raw, server, { rounds, roundMs, warmUpMs }) {
  const requests = requestsTo(server.answer);
  const seal = { ...requests.seal, body: agreement };
  const over = (target, request) => async (forMs) => {
    await target.use();
    const { count, wallMs, statuses } = await load({ ...request, connections, forMs });
    requireOnly200(statuses, request.path);
    return { count, wallMs, ...(await target.use()) };
  };
  const inProcess = async (sealForMs) => {
    await server.use();
    return server.use({ sealForMs });
  };
  const first = [
    ['raw limit, 13 KB', over(raw, { url: raw.answer.url, path: '/' })],
    ['GET /healthz', over(server, requests.health)],
    ['GET a PDF of 13 KB', over(server, requests.pdf)],
    ['activity, total', over(server, requests.total)],
    ['activity, 10 processes', over(server, requests.activity)],
  ];
  const second = [
    ['in process', inProcess],
    ['over HTTP', over(server, seal)],
  ];
  const groups = [
    ['HTTP, one core', first],
    ['HTTP, seal 13 KB visibly, B-B, RSA-3072', second],
  ];
  const samples = new Map([...first, ...second].map(([name]) => [name, []]));
  for (const [, ask] of [...first, ...second]) await ask(warmUpMs / 2);
  for (let round = 0; round < rounds; round++) {
    for (const [name, ask] of [...first, ...second]) {
      samples.get(name).push(await ask(2 * roundMs));
    }
  }
  await raw.end();
  await server.end();
  return groups.map(([title, list]) => ({
    title,
    rows: list.map(([name]) => rowOf(name, samples.get(name), samples.get(list[0][0]))),
  }));
}

function rowOf(name, samples, first) {
  const cpuOf = ({ cpuMs, count }) => cpuMs / count;
  const cpuMs = median(samples.map(cpuOf));
  const wallMs = median(samples.map(({ wallMs: all, count }) => all / count));
  return {
    name,
    rounds: samples.length,
    operations: samples.reduce((sum, { count }) => sum + count, 0),
    cpuMs,
    wallMs,
    cpuPerSecond: 1000 / cpuMs,
    wallPerSecond: 1000 / wallMs,
    ratio: median(samples.map((sample, round) => cpuOf(first[round]) / cpuOf(sample))),
    peakMiB: Math.max(...samples.map(({ rssMiB }) => rssMiB)),
  };
}

async function measureWaits(server, { rounds, roundMs }) {
  const { health, flows } = requestsTo(server.answer);
  const samples = [];
  const mixed = [health, flows].map((request) => ({ ...request, connections: 100 }));
  for (let round = 0; round < rounds; round++) {
    const found = await Promise.all(mixed.map((each) => load({ ...each, forMs: 4 * roundMs })));
    for (const { statuses } of found) requireOnly200(statuses, 'small requests');
    samples.push(waitOf('', found, (await server.use()).rssMiB));
  }
  await server.end();
  return [{ ...middle(samples), name: '200 connections at work' }];
}

async function measureIdle(server, { roundMs }) {
  const { flows } = requestsTo(server.answer);
  const sockets = await openIdle(server.answer.url, 1000);
  const found = [await load({ ...flows, connections: 1, forMs: 2 * roundMs })];
  const { rssMiB } = await server.use();
  for (const socket of sockets) socket.destroy();
  await server.end();
  return waitOf('beside 1,000 idle connections', found, rssMiB);
}

async function measureStalls(server, mode, large, { rounds, roundMs }) {
  try {
    const { flows, seal, verify } = requestsTo(server.answer);
    const rows = [];
    for (const [name, request] of Object.entries({ sealed: seal, verified: verify })) {
      const samples = [];
      for (let round = 0; round < Math.ceil(rounds / 3) + 1; round++) {
        const forMs = 8 * roundMs;
        const work = load({ ...request, body: large, connections: 2, forMs });
        const small = await load({ ...flows, connections: 4, forMs });
        requireOnly200((await work).statuses, request.path);
        const { rssMiB } = await server.use();
        if (round > 0) samples.push(waitOf('', [small], rssMiB));
      }
      const where = mode === 'threads' ? 'in a thread' : 'in the same thread';
      rows.push({ ...middle(samples), name: `while 20 MB are ${name} ${where}` });
    }
    return rows;
  } finally {
    await server.end();
  }
}

function waitOf(name, found, peakMiB) {
  const all = Float64Array.from(found.flatMap(({ latenciesMs }) => [...latenciesMs])).sort();
  const wallPerSecond = found.reduce((sum, { count, wallMs }) => sum + (count / wallMs) * 1000, 0);
  return { name, p50Ms: quantile(all, 0.5), p99Ms: quantile(all, 0.99), wallPerSecond, peakMiB };
}

function middle(rows) {
  const of = (name) => median(rows.map((row) => row[name]));
  const peakMiB = Math.max(...rows.map((row) => row.peakMiB));
  return { p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), wallPerSecond: of('wallPerSecond'), peakMiB };
}

function openIdle(url, count) {
  const { hostname, port } = new URL(url);
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve, reject) => {
          const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
          socket.on('error', reject);
        }),
    ),
  );
}

async function largeDocument() {
  const document = await PDFDocument.load(agreement);
  await document.attach(randomBytes(20 * 2 ** 20), 'noise.bin');
  return Buffer.from(await document.save());
}

function requireOnly200(statuses, what) {
  const others = Object.keys(statuses).filter((status) => status !== '200');
  if (others.length > 0) throw new Error(`${what}: responded with ${others.join(', ')}`);
}

/** @param isPinned gives the server one core, where `taskset` can */
export async function openServer(mode, home, isPinned = false) {
  const hasPins = isPinned && spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const [program, ...words] = [
    ...(hasPins ? ['taskset', '-c', '0'] : []),
    ...[process.execPath, child, mode, home],
  ];
  const server = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`the server ended with ${await ended}`);
    return JSON.parse(value);
  };
  return {
    answer: await next(),
    /** Returns the resources used since the last call. */
    use(options = {}) {
      server.stdin.write(`${JSON.stringify(options)}\n`);
      return next();
    },
    async end() {
      server.stdin.end();
      await ended;
    },
  };
}
