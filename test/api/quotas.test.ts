import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const document = () => ({
  flowKey: api.flowKey,
  pdfDocument: agreement.toString('base64'),
  pdfFileName: 'agreement.pdf',
  attachments: [{ fileName: 'a.txt', fileContent: 'YWJj' }],
  createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
});
const bodies = {
  '/api/management/signing': () => document(),
  '/api/management/signing/sequential': () => ({
    user: 'owner@example.test',
    createSigningProcesses: [document()],
  }),
} as const;
type Address = keyof typeof bodies;

const post = (url: Address, authorization: string, headers: object = {}) =>
  api.app.inject({
    ...{ method: 'POST', url, payload: bodies[url]() },
    headers: { authorization, ...headers },
  });

test.each([
  ['processes', 429, 'quota.processes.exceeded'],
  ['attachments', 429, 'quota.attachments.exceeded'],
  ['storedBytes', 507, 'quota.storage.exceeded'],
] as const)(
  'a company that has used up its quota of %s is answered with %i %s',
  async (name, status, code) => {
    await api.toolkit.setQuotas({ [name]: 0 });
    for (const url of Object.keys(bodies) as Address[]) {
      const refused = await post(url, api.basic);
      expect([refused.statusCode, refused.json().errorCode]).toEqual([status, code]);
      const wait = Number(refused.headers['retry-after'] ?? 0);
      expect(wait > 0).toBe(status === 429);
      // The response does not mention the command-line program.
      expect(refused.body).not.toContain('innsigli');
    }
    await api.toolkit.setQuotas({ [name]: null });
    for (const url of Object.keys(bodies) as Address[]) {
      expect((await post(url, api.basic)).statusCode).toBe(200);
    }
  },
);

test('a company with too many idempotency keys is answered with 429; requests without a key pass', async () => {
  await api.toolkit.setQuotas({ namedRequests: 0 });
  const named = { 'idempotency-key': 'order-1' };
  const refused = await post('/api/management/signing', api.basic, named);
  expect([refused.statusCode, refused.json().errorCode]).toEqual([429, 'quota.requests.exceeded']);
  expect((await post('/api/management/signing', api.basic)).statusCode).toBe(200);
  await api.toolkit.setQuotas({ namedRequests: null });
  expect((await post('/api/management/signing', api.basic, named)).statusCode).toBe(200);
});
