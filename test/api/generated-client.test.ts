import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { components, paths } from './client/schema.gen.ts';
import { clientShape, readDescription, shapeHash } from './support/description.ts';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
let client: ReturnType<typeof createClient<paths>>;
beforeAll(async () => {
  api = await openTestApi();
  const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  client = createClient<paths>({ baseUrl, headers: { authorization: api.basic } });
}, 60_000);
afterAll(() => api.close());

/** The response body. A failure is thrown with its code. */
async function of<T>(reply: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await reply;
  if (data !== undefined) return data;
  throw new Error(`refused: ${JSON.stringify(error)}`);
}

const names = ['Anna', 'Björn', 'Carla'];
const createSignees = names.map((name): components['schemas']['CreateSignee'] => ({
  name,
  email: `${name.toLowerCase().replace('ö', 'o')}@example.test`,
  signatureType: 'ClickToSign',
}));

test('the generated types of the client match the description', async () => {
  const { document } = await readDescription();
  const file = join(import.meta.dirname, 'client', 'schema.gen.ts');
  const [head] = readFileSync(file, 'utf8').split('\n', 1);
  expect(head, 'run scripts/openapi-client.ts').toContain(shapeHash(clientShape(document)));
}, 60_000);

test('three persons sign a document, and its owner is notified', async () => {
  const { flowKey } = api;
  const hook = await of(
    client.POST('/api/management/webhook', {
      body: { flowKey, type: 'AllSigned', url: 'https://receiver.example.com/hook' },
    }),
  );
  expect(hook).toMatchObject({ type: 'AllSigned', active: true });
  expect(hook.id).toBeGreaterThan(0);
  const made = await of(
    client.POST('/api/management/signing', {
      params: { header: { 'idempotency-key': 'story-1' } },
      body: {
        flowKey,
        pdfDocument: agreement.toString('base64'),
        pdfFileName: 'agreement.pdf',
        createSignees,
        user: 'owner@example.test',
      },
    }),
  );
  expect(made.status).toBe('Created');
  expect(made.signees.map(({ name }) => name)).toEqual(names);
  const ProcessKey = made.key ?? '';
  const sizes = [agreement.length];
  for (const { key: SigneeKey = '' } of made.signees) {
    const path = { ProcessKey, SigneeKey };
    const started = await of(
      client.POST('/api/signing/sign/{ProcessKey}/signee/{SigneeKey}/click', {
        params: { path },
        body: {},
      }),
    );
    const polled = await of(
      client.GET(
        '/api/signing/status/processkey/{ProcessKey}/signeekey/{SigneeKey}/token/{Token}',
        {
          params: { path: { ...path, Token: started.token } },
        },
      ),
    );
    expect(polled).toMatchObject({ status: 'Signed', signed: true });
    const url = '/api/pdf/{ProcessKey}/{SigneeKey}.pdf';
    const pdf = await of(client.GET(url, { params: { path }, parseAs: 'arrayBuffer' }));
    expect(Buffer.from(pdf).equals(Buffer.from(polled.document?.content ?? '', 'base64'))).toBe(
      true,
    );
    sizes.push(pdf.byteLength);
  }
  expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
  const query = { StartDate: '2020-01-01', EndDate: '2100-01-01', ProcessKey };
  const [log] = await of(client.GET('/api/signing/activity', { params: { query } }));
  const statuses = log?.activityLog.map(({ status }) => status) ?? [];
  expect(statuses.filter((status) => status === 'SigneeSigned')).toHaveLength(3);
  expect(log?.signees.map(({ name }) => name)).toEqual(names);
  const hooks = await of(
    client.GET('/api/management/webhook/flowKey/{FlowKey}', {
      params: { path: { FlowKey: flowKey }, query: { Type: 'AllSigned' } },
    }),
  );
  expect(hooks.map(({ id }) => id)).toEqual([hook.id]);
}, 60_000);

test('a failure has the described body', async () => {
  const { data, error, response } = await client.DELETE('/api/management/signing', {
    params: { query: { ProcessKey: 'sp00' } },
  });
  expect([data, response.status]).toEqual([undefined, 404]);
  expect(error?.responseStatus).toMatchObject({ errorCode: 'process.not_found' });
});
