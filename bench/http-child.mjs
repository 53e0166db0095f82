// A server of the HTTP measurements in a separate process: `node http-child.mjs MODE FOLDER`.
// Prints the data that clients need; answers each line of the input with the resources used since.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { memorySource } from '../build/base/bytes.js';
import { resolveConfig } from '../build/wire/config/resolve.js';
import { serveApi } from '../build/wire/serve/serve.js';
import { openToolkit } from '../build/wire/toolkit.js';

const [mode, home] = process.argv.slice(2);
const agreement = readFileSync(join(import.meta.dirname, '../fixtures/pdf/agreement.pdf'));
/** Processes of the requested log. */
const processCount = 200;

const modes = {
  fill: () => fill(),
  raw: () => openRaw(),
  /** Like `innsigli serve`. */
  threads: () => openService(true),
  /** All work in one thread, for comparison. */
  alone: () => openService(false),
};
const { answer, close = () => undefined, seal } = await modes[mode]();
console.log(JSON.stringify(answer));
let before = process.cpuUsage();
for await (const line of createInterface({ input: process.stdin })) {
  const { sealForMs } = JSON.parse(line);
  const sample = sealForMs === undefined ? {} : await sealFor(sealForMs);
  const { user, system } = process.cpuUsage(before);
  const used = { cpuMs: (user + system) / 1000, rssMiB: process.memoryUsage.rss() / 2 ** 20 };
  before = process.cpuUsage();
  console.log(JSON.stringify({ ...used, ...sample }));
}
await close();
process.exit();

/** The minimum of a Node server: returns the document from memory, without access control. */
async function openRaw() {
  const headers = { 'content-type': 'application/pdf', 'content-length': agreement.length };
  const server = createServer((_request, response) =>
    response.writeHead(200, headers).end(agreement),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { answer: { url }, close: () => server.close() };
}

function openKit() {
  const env = { HOME: home, INNSIGLI_HOME: join(home, 'data') };
  const { config } = resolveConfig({ flags: { level: 'B-B' }, env, cwd: home });
  const io = { now: Date.now, random: (count) => randomBytes(count), warn: () => undefined };
  return { kit: openToolkit(config, io), config, io };
}

/** Creates the data that the other modes serve, so that none of it is in their memory. */
async function fill() {
  const { kit } = openKit();
  const { company } = await kit.initialise({ name: 'Bench ehf.', user: 'owner@example.is' });
  const service = await kit.service();
  const { flows, processes } = await service.open(company.key);
  const [{ flowKey }] = await flows.list();
  const signees = [{ name: 'Jón', email: 'jon@example.is', signatureType: 'ClickToSign' }];
  const order = { flowKey, pdf: agreement, fileName: 'agreement.pdf', signees };
  for (let count = 1; count < processCount; count++) await processes.create(order);
  const place = await processes.create(order);
  const form = await openForm(flows);
  await service.close();
  const basic = Buffer.from(`${company.key}:${company.apiKey}`).toString('base64');
  const [{ key: signeeKey }] = place.signees;
  const keys = { flowKey, processKey: place.key, signeeKey, formKey: form.key };
  return { answer: { authorization: `Basic ${basic}`, ...keys } };
}

/** A form of twenty questions, shown one at a time. */
async function openForm(flows) {
  const blocks = Array.from({ length: 20 }, (_, at) => ({
    ...{ type: 'paragraph', text: `Question ${at}: {{answer${at}?}}` },
  }));
  const template = Buffer.from(JSON.stringify({ v: 1, title: 'Declaration', blocks }));
  const settings = { initiationMethod: 'Customer', signatureType: 'Simple', questionMode: 'One' };
  return flows.create({ name: 'Form', type: 'RenderFlow', language: 'En', settings }, template);
}

async function openService(hasThreads) {
  const { kit, config, io } = openKit();
  const server = await serveApi(kit, io, {
    host: '127.0.0.1',
    port: 0,
    worker: hasThreads,
    strict: false,
    // The company's rate limit is not a limit of the program, and a fast machine reaches it.
    requestsPerCompany: 0,
    version: 'bench',
    ...(hasThreads ? { threads: { config, warn: io.warn } } : {}),
  });
  const answer = { url: server.url };
  // The same request as by the route.
  const visible = { visible: { language: 'is', page: 1 } };
  return { answer, close: server.close, seal: () => kit.seal(memorySource(agreement), visible) };
}

async function sealFor(timeMs) {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < timeMs) {
    await seal();
    count++;
  }
  return { count, wallMs: performance.now() - startedAt };
}
