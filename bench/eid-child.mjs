// A process of the e-ID measurements: `node eid-child.mjs MODE FOLDER`. `serve` prints the data
// that clients need and answers each line of the input with the resources used since; `provider`
// prints its address; the rest are contenders.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bankidDriver } from '../build/adapters/eid/bankid-se/index.js';
import { simulatorDriver } from '../build/adapters/eid/index.js';
import { resolveConfig } from '../build/wire/config/resolve.js';
import { pooledRandom } from '../build/wire/pooled-random.js';
import { serveApi } from '../build/wire/serve/serve.js';
import { openToolkit } from '../build/wire/toolkit.js';
import { serveRounds } from './apart.mjs';

const [mode, home] = process.argv.slice(2);
/** Response time of the provider for a person who has not answered yet. */
const slowMs = 5000;

const modes = {
  serve,
  provider,
  hmac: () => serveRounds(hmac()),
  'refresh simulator': async () => serveRounds(await refresh(simulated())),
  'refresh BankID': async () => serveRounds(await refresh(bankid())),
};
await modes[mode]();
process.exit();

async function serve() {
  const env = {
    HOME: home,
    INNSIGLI_HOME: join(home, 'data'),
    INNSIGLI_EID: join(home, 'eid.json'),
  };
  // The limit is not part of the measurement: a thousand people log in through one flow at a time.
  const bounds = { INNSIGLI_LOGINS_A_MINUTE_OF_FLOW: '1000' };
  const { config } = resolveConfig({ flags: {}, env: { ...env, ...bounds }, cwd: home });
  const io = { now: Date.now, random: pooledRandom(randomBytes), warn: () => undefined };
  const kit = openToolkit(config, io);
  const { company } = await kit.initialise({ name: 'Bench ehf.', user: 'owner@example.is' });
  const service = await kit.service();
  const [{ flowKey }] = await (await service.open(company.key)).flows.list();
  await service.close();
  const server = await serveApi(kit, io, {
    ...{ host: '127.0.0.1', port: 0, worker: true, strict: false, version: 'bench' },
    // All clients have the same address here.
    ...{ requestsPerAddress: 0, requestsPerCompany: 0, maxConnections: 20_000 },
    threads: { config, warn: io.warn },
  });
  console.log(JSON.stringify({ url: server.url, flowKey }));
  let before = process.cpuUsage();
  for await (const line of createInterface({ input: process.stdin })) {
    if (JSON.parse(line).collects) {
      for (let turn = 0; turn < 3; turn++) {
        globalThis.gc();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    const { user, system } = process.cpuUsage(before);
    const used = { cpuMs: (user + system) / 1000, rssMiB: process.memoryUsage.rss() / 2 ** 20 };
    before = process.cpuUsage();
    console.log(JSON.stringify(used));
  }
  await server.close();
}

/** A BankID provider that starts logins immediately, and answers status requests slowly. */
async function provider() {
  const read = (name) => readFileSync(join(home, name));
  let waiting = 0;
  let most = 0;
  const server = createServer(
    { key: read('key.pem'), cert: read('cert.pem') },
    async (ask, reply) => {
      let body = '';
      for await (const part of ask) body += part;
      const answer = (members) => {
        const text = JSON.stringify(members);
        const headers = { 'content-type': 'application/json', 'content-length': text.length };
        reply.writeHead(200, headers).end(text);
      };
      if (!ask.url.endsWith('/collect')) return answer(begun());
      most = Math.max(most, ++waiting);
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      waiting--;
      const { orderRef } = JSON.parse(body);
      answer({ orderRef, status: 'pending', hintCode: 'userSign' });
    },
  );
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  console.log(JSON.stringify({ url: `https://127.0.0.1:${server.address().port}/rp/v6.0/` }));
  for await (const _ of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify({ most, waiting }));
    most = waiting;
  }
}

function begun() {
  const names = ['orderRef', 'autoStartToken', 'qrStartToken', 'qrStartSecret'];
  return Object.fromEntries(names.map((name) => [name, randomUUID()]));
}

/** The minimum for a code that changes every second: an HMAC with a secret, as text. */
function hmac() {
  const secret = randomUUID();
  let second = 0;
  return () => createHmac('sha256', secret).update(String(second++)).digest('hex');
}

function simulated() {
  return simulatorDriver({ issue: () => undefined, scheme: 'eid-se' });
}

function bankid() {
  return bankidDriver({ url: 'https://bankid.invalid/rp/v6.0/', anchors: [new Uint8Array(1)] });
}

async function refresh(driver) {
  const answer = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(begun())) };
  const environment = {
    ...{ now: Date.now, random: (count) => randomBytes(count), http: async () => answer },
    trust: {},
  };
  const request = {
    purpose: 'auth',
    channel: 'DeviceLink',
    loginHint: '',
    text: '',
    language: 'is',
  };
  const circumstances = { includeVerificationCode: false, endUserIp: '192.0.2.7' };
  const { state } = await driver.start({ ...request, ...circumstances }, environment);
  let atMs = Date.now();
  return () => {
    atMs += 1000;
    return driver.refresh(state, atMs).qrData;
  };
}
