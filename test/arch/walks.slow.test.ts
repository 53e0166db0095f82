/**
 * The four call paths of docs/adr/0083: which files are on the stack when the work of a request is
 * done.
 */
import crypto, { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../src/cli/main.ts';
import { processIo } from '../../src/cli/process-io.ts';
import type { FlowKey } from '../../src/domain/keys.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { serveApi } from '../../src/wire/serve/serve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { agreement, basicOf } from '../api/support/open-api.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { callsBack, recordWalk } from '../support/recorded-walk.ts';

/**
 * From the first file to the last; `~` marks those that only call back a function they were given.
 */
const walks = {
  // `bin/innsigli` is the first of these two and loads the rest.
  seal: `cli/main cli/command/command cli/commands/documents/seal
    cli/commands/documents/one-document ~cli/output/console ~cli/named-error wire/toolkit
    app/documents/pdf/seal-pdf ~app/documents/proof-end seal/pades seal/signing`,
  verify: `cli/main cli/command/command cli/commands/documents/verify ~cli/output/console
    wire/toolkit app/documents/verify-document ~formats/pdf/open-repaired verify/pdf/verify-pdf
    verify/pdf/signature/check-signature`,
  post: `api/plugins/bodies/body-budget api/route ~api/wire-names
    api/routes/processes/management app/operation
    app/process/create ~app/company/named-request ~adapters/store/sqlite/sqlite-writer
    adapters/store/rows/processes/processes adapters/store/statements`,
  event: `app/process/change app/service/commit ~app/company/named-request
    ~adapters/store/sqlite/sqlite-writer app/webhook/record-events
    adapters/store/rows/outbox/webhooks adapters/store/statements`,
  delivery: `wire/service/work wire/service/service ~app/service/run-concurrently
    app/webhook/deliver app/webhook/limiter adapters/delivery/webhook-transport`,
};

type Name = keyof typeof walks;

const filesOf = (name: Name) => walks[name].split(/\s+/);
const namesOf = (name: Name) => filesOf(name).map((file) => file.replace('~', ''));
const stepsOf = (name: Name) => filesOf(name).filter((file) => !file.startsWith('~'));

test('no call path is longer than its limit', () => {
  const bin = 1;
  expect(bin + stepsOf('seal').length).toBeLessThanOrEqual(9);
  expect(bin + stepsOf('verify').length).toBeLessThanOrEqual(9);
  expect(stepsOf('post').length).toBeLessThanOrEqual(11);
  expect(stepsOf('event').length + stepsOf('delivery').length).toBeLessThanOrEqual(10);
});

test.each(['seal', 'verify'] as const)('the call path of %s is the recorded one', async (name) => {
  const { io } = openHome();
  expect(await runCli(['init'], io)).toBe(0);
  const args = ['--level', 'b-b'];
  if (name === 'verify') expect(await runCli(['seal', 'agreement.pdf', ...args], io)).toBe(0);
  const frames = recordWalk(crypto, name === 'seal' ? 'sign' : 'verify');
  syncBuiltinESMExports();
  const words = name === 'seal' ? ['seal', 'agreement.pdf', ...args] : ['verify', '--revocation'];
  if (name === 'verify') words.push('ignore', 'agreement.sealed.pdf');
  expect(await runCli(words, io)).toBe(0);
  expectWalk(name, frames());
});

test('the call path of POST /management/signing to its row is the recorded one', async () => {
  const { url, authorization, order } = await openService(false);
  const frames = recordWalk(statementPrototype(), 'run', isInsertInto('process'));
  const response = await fetch(`${url}/management/signing`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  expect(response.status).toBe(200);
  expectWalk('post', frames());
});

test('the call path of a webhook from its event to its row is the recorded one', async () => {
  const { cancelOne } = await openService(false, 'https://receiver.example.test/');
  const frames = recordWalk(statementPrototype(), 'run', isInsertInto('delivery'));
  await cancelOne();
  expectWalk('event', frames());
});

test('the call path of a webhook from its row to its receiver is the recorded one', async () => {
  let receive: () => void = () => undefined;
  const received = new Promise<void>((resolve) => {
    receive = resolve;
  });
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end());
    receive();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const { cancelOne } = await openService(true, `http://127.0.0.1:${port}/`);
  const frames = recordWalk(Socket.prototype, 'connect', (_, args) =>
    inspect(args, { depth: 2 }).includes(String(port)),
  );
  await cancelOne();
  await received;
  expectWalk('delivery', frames());
});

function expectWalk(name: Name, frames: readonly string[]): void {
  const files = namesOf(name);
  const [first = '', last = ''] = [files[0], files.at(-1)];
  const recorded = [...new Set(frames)];
  const [start, end] = [recorded.indexOf(first), recorded.indexOf(last)];
  expect(recorded.slice(start, end + 1)).toEqual(files);
  for (const file of filesOf(name)) {
    if (file.startsWith('~')) expect(callsBack(frames, file.slice(1)), file).toBe(true);
  }
}

function openHome() {
  const folder = newTemporaryFolder('walk');
  copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'agreement.pdf'));
  const env = { HOME: folder, INNSIGLI_HOME: join(folder, 'data') };
  const silent = { isTerminal: false, isNowhere: true, write: () => undefined };
  const io = { ...processIo(), env, cwd: folder, stdout: silent, stderr: silent };
  return { folder, env, io };
}

/** A service with one company; its webhook for cancelled processes posts to `receiver`. */
async function openService(worker: boolean, receiver?: string) {
  const { folder, env } = openHome();
  const { config } = resolveConfig({ flags: {}, env, cwd: folder });
  const io = { now: Date.now, random: randomBytes, warn: () => undefined };
  const toolkit = openToolkit(config, io);
  const { company } = await toolkit.initialise({ name: 'Acme ehf.' });
  if (company === undefined) throw new Error('the folder had a company');
  const service = await toolkit.service();
  const { flows, processes, webhooks } = await service.open(company.key);
  const flowKey = ((await flows.list())[0]?.flowKey ?? '') as FlowKey;
  if (receiver !== undefined) {
    await webhooks.create({ flowKey, type: 'Canceled', url: receiver });
  }
  const options = { host: '127.0.0.1', port: 0, worker, strict: false, version: '1.2.3' };
  const server = await serveApi(toolkit, io, options);
  onTestFinished(async () => {
    await server.close();
    await service.close();
    toolkit.close();
  });
  const anna = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' } as const;
  const signees = [anna];
  return {
    url: server.url,
    authorization: basicOf(company.key, company.apiKey),
    order: {
      ...{ flowKey, pdfFileName: 'agreement.pdf', createSignees: signees },
      pdfDocument: agreement.toString('base64'),
    },
    async cancelOne() {
      const order = { flowKey, pdf: agreement, fileName: 'agreement.pdf', signees };
      const { key } = await processes.create(order);
      await processes.cancel({ key, by: 'owner@example.is' });
    },
  };
}

function statementPrototype(): { run: unknown } {
  const database = new Database(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1')) as { run: unknown };
  database.close();
  return prototype;
}

const isInsertInto = (table: string) => (statement: unknown) =>
  String((statement as { source: string }).source).startsWith(`insert into "${table}"`);
