// Measures how many webhooks a worker delivers to a receiver on this machine. The receiver is a
// separate process; the store is a file with synchronous=FULL, and each delivery writes its attempt,
// its result, the end of its job and a row of the activity log.
//
//     node scripts/run-ts.mjs bench/webhooks.mjs [DELIVERIES]
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { webhookTransport } from '../src/adapters/delivery/index.ts';
import { openSqliteStore } from '../src/adapters/store/index.ts';
import { openVault } from '../src/adapters/vault/index.ts';
import { appendActivities } from '../src/app/activity/index.ts';
import { deliverDueWebhooks, recordEvents } from '../src/app/webhook/index.ts';
import { newWebhookSecret } from '../src/domain/webhook/index.ts';
import { addTestFlow, testFlow, testProcess } from '../test/support/store.ts';

const eventsOfProcess = 5;
const wanted = 2000;
const count = Number(process.argv[2] ?? 20_000);

const receiver = `
const { createServer } = require('node:http');
let received = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    received++;
    response.writeHead(200, { 'content-length': 0 }).end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => { console.log(received); process.exit(0); }).resume();
`;

const folder = mkdtempSync(join(tmpdir(), 'innsigli-bench-'));
const child = spawn(process.execPath, ['-e', receiver], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
try {
  const port = Number((await lines.next()).value);
  const ports = await openPorts();
  await fill(ports, `http://127.0.0.1:${port}/hook`);
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const delivered = await deliverDueWebhooks(ports, { owner: 'bench', limit: 512 });
  const { user, system } = process.cpuUsage(cpu);
  const seconds = { cpu: (user + system) / 1e6, wall: (performance.now() - wall) / 1e3 };
  await ports.transport.close();
  await ports.store.close();
  child.stdin.end();
  const received = Number((await lines.next()).value);
  const rate = { cpu: delivered / seconds.cpu, wall: delivered / seconds.wall };
  console.log(
    JSON.stringify({
      deliveries: delivered,
      received,
      perSecond: Math.round(rate.wall),
      perCpuSecond: Math.round(rate.cpu),
      cpuMicroseconds: Math.round((seconds.cpu * 1e6) / delivered),
      peakMiB: peakMiB(),
      wanted,
      met: rate.wall >= wanted && received === count,
    }),
  );
} finally {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
}

function peakMiB() {
  const status = readFileSync('/proc/self/status', 'latin1');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function openPorts() {
  const vault = openVault(createHash('sha256').update('bench').digest());
  const store = await openSqliteStore({ path: join(folder, 'bench.db'), vault, now: Date.now });
  return {
    store,
    blobs: { get: () => Promise.reject(new Error('no documents here')) },
    transport: webhookTransport({ allowNetworks: [], allowLoopback: true, offline: false }),
    append: appendActivities,
    random: (bytes) => randomBytes(bytes),
    now: () => Date.now(),
    frontEnd: 'https://sign.example.is',
  };
}

async function fill({ store, ...ports }, url) {
  const beganAtMs = Date.now() - count;
  const webhook = {
    companyKey: testFlow.companyKey,
    flowKey: testFlow.key,
    type: 'SignedDocument',
    url,
    isActive: true,
    schedule: 'published',
    secrets: [newWebhookSecret(randomBytes)],
    isOrdered: false,
    createdAtMs: beganAtMs,
    updatedAtMs: beganAtMs,
    failureCount: 0,
  };
  await store.write(async (unit) => {
    await addTestFlow(unit);
    await unit.webhooks.add(webhook);
  });
  const drafts = Array.from({ length: eventsOfProcess }, () => ({
    type: 'SignedDocument',
    withDocument: false,
  }));
  for (let done = 0; done < count; done += eventsOfProcess) {
    await store.write(async (unit) => {
      const process = testProcess(done);
      await unit.processes.add(process);
      await recordEvents(unit, ports, process, drafts, beganAtMs + done);
    });
  }
}
