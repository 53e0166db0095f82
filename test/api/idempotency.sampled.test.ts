import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { costlyTest } from '../support/sample.ts';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const post = (key: string, changes: object = {}, authorization = api.basic, headers: object = {}) =>
  api.app.inject({
    method: 'POST',
    url: '/api/management/signing',
    headers: { authorization, 'idempotency-key': key, ...headers },
    payload: {
      flowKey: api.flowKey,
      pdfDocument: agreement.toString('base64'),
      pdfFileName: 'agreement.pdf',
      createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      ...changes,
    },
  });
const count = () => api.toolkit.processes.count({});

test('a repeated request is executed once, and replayed the second time', async () => {
  const before = await count();
  const first = await post('order-1');
  const again = await post('order-1');
  expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
  expect(again.json()).toEqual(first.json());
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(await count()).toBe(before + 1);
  api.pass(25 * 60 * 60_000);
  expect((await post('order-1')).json().key).not.toBe(first.json().key);
});

test.each([1, 6])('a response of %i MB is stored and replayed like any other', async (size) => {
  const before = await count();
  const meta = Object.fromEntries(
    Array.from({ length: size * 33 }, (_, at) => [`m${at}`, '\u00e9'.repeat(16_000)]),
  );
  const first = await post(`large-${size}`, { meta });
  expect(first.rawPayload.length).toBeGreaterThan(size * 1024 * 1024);
  const again = await post(`large-${size}`, { meta });
  expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
  expect(await count()).toBe(before + 1);
});

/** Size in bytes of the stored row of a key. */
const keptBytes = (key: string) => {
  const database = new Database(join(api.dataDir, 'innsigli.db'));
  const query = database.prepare('select length(data) as bytes from kept_answer where key = ?');
  const { bytes } = query.get(key) as { bytes: number };
  database.close();
  return bytes;
};

costlyTest(
  'request contents are not stored with the response, and are still replayed',
  async () => {
    const before = await count();
    const attachments = [1, 2].map((octet) => ({
      fileName: `${octet}.bin`,
      fileContent: Buffer.alloc(3 * 1024 * 1024, octet).toString('base64'),
    }));
    const first = await post('attached', { attachments });
    const again = await post('attached', { attachments });
    expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(first.json().attachments).toEqual(attachments);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(keptBytes('attached')).toBeLessThan(4000);
    const other = await post('attached', { attachments: attachments.toReversed() });
    expect(other.statusCode).toBe(422);
    expect(await count()).toBe(before + 1);
  },
);

test('the response to a long sequence is stored at less than half its size', async () => {
  const createSignees = Array.from({ length: 10 }, (_, at) => ({
    ...{ name: `Person ${at}`, email: `p${at}@example.test`, signatureType: 'ClickToSign' },
    customSmsText: `${at} ${'Please sign. '.repeat(20)}`.slice(0, 140),
  }));
  const one = {
    flowKey: api.flowKey,
    pdfDocument: agreement.toString('base64'),
    pdfFileName: 'agreement.pdf',
    createSignees,
  };
  const payload = { user: 'o@example.test', createSigningProcesses: Array(20).fill(one) };
  const ask = () =>
    api.app.inject({
      ...{ method: 'POST', url: '/api/management/signing/sequential', payload },
      headers: { authorization: api.basic, 'idempotency-key': 'sequence' },
    });
  const [first, again] = [await ask(), await ask()];
  expect([first.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
  expect(keptBytes('sequence')).toBeLessThan(first.rawPayload.length / 2);
}, 60_000);

test('a response stored by an earlier version is replayed, and its request hash accepted', async () => {
  const before = await count();
  const first = await post('order-7');
  const body = {
    flowKey: api.flowKey,
    pdfDocument: agreement.toString('base64'),
    pdfFileName: 'agreement.pdf',
    createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
  };
  const hash = createHash('sha256').update('POST /api/management/signing */*\n');
  const database = new Database(join(api.dataDir, 'innsigli.db'));
  const change = database.prepare("update kept_answer set request_hash = ? where key = 'order-7'");
  change.run(hash.update(JSON.stringify(body)).digest('hex'));
  database.close();
  const again = await post('order-7', {}, api.basic, { accept: '*/*' });
  expect(again.json()).toEqual(first.json());
  expect(await count()).toBe(before + 1);
});

test('sealing stores no document: it is simply repeated', async () => {
  const large = Buffer.concat([agreement, Buffer.alloc(1024, '%\n')]);
  const seal = () =>
    api.app.inject({
      method: 'POST',
      url: `/api/management/sealing?FlowKey=${api.flowKey}`,
      headers: {
        authorization: api.basic,
        'idempotency-key': 'seal-1',
        'content-type': 'application/pdf',
      },
      payload: large,
    });
  for (const { statusCode, headers, rawPayload } of [await seal(), await seal()]) {
    expect([statusCode, headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(rawPayload.length).toBeGreaterThan(large.length);
  }
});

test('a different request with the same key is rejected with 422', async () => {
  await post('order-2');
  const other = await post('order-2', { pdfFileName: 'other.pdf' });
  expect(other.statusCode).toBe(422);
  expect(other.json()).toMatchObject({ errorCode: 'idempotency.key.reused' });
});

test('of concurrent requests one is executed, and the rest receive 409', async () => {
  const before = await count();
  const all = await Promise.all(Array.from({ length: 5 }, () => post('order-3')));
  const statuses = all.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).not.toHaveLength(0);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(await count()).toBe(before + 1);
  for (const response of all.filter(({ statusCode }) => statusCode === 409)) {
    expect(response.json()).toMatchObject({ errorCode: 'idempotency.in_flight' });
    expect(response.headers['retry-after']).toBe('2');
  }
});

test('a request whose process died is not executed again within the day', async () => {
  const before = await count();
  await post('order-6');
  const database = new Database(join(api.dataDir, 'innsigli.db'));
  database.prepare("update kept_answer set data = null where key = 'order-6'").run();
  database.close();
  api.pass(11 * 60_000);
  const again = await post('order-6');
  expect(again.statusCode).toBe(409);
  expect(again.json()).toMatchObject({ errorCode: 'idempotency.in_flight' });
  expect(again.body).toContain('check its result');
  expect(await count()).toBe(before + 1);
  api.pass(25 * 60 * 60_000);
  expect((await post('order-6')).statusCode).toBe(200);
});

test('a failed request may be repeated with the same key', async () => {
  expect((await post('order-4', { flowKey: 'none' })).statusCode).toBe(404);
  expect((await post('order-4')).statusCode).toBe(200);
});

test('keys are separate per company, and limited in length', async () => {
  await post('order-5');
  expect((await post('order-5', {}, api.foreign)).statusCode).toBe(404);
  expect((await post('a b')).json()).toMatchObject({ errorCode: 'validation.error' });
  expect((await post('x'.repeat(256))).statusCode).toBe(400);
});
