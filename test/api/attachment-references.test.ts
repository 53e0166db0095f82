import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const terms = Buffer.from('Terms of use');

const body = (more: object) => ({
  flowKey: api.flowKey,
  pdfDocument: agreement.toString('base64'),
  pdfFileName: 'agreement.pdf',
  createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
  ...more,
});
const create = (more: object, authorization = api.basic) =>
  api.app.inject({
    method: 'POST',
    url: '/api/management/signing',
    headers: { authorization },
    payload: body(more),
  });
const first = async () => {
  const attachments = [{ fileName: 'terms.txt', fileContent: terms.toString('base64') }];
  const { key, attachmentReferences } = (await create({ attachments })).json();
  return { processKey: key as string, id: attachmentReferences[0].id as string };
};

test('copies a referenced attachment of an earlier process into the new process', async () => {
  const reference = await first();
  const attachments = [{ fileName: 'own.txt', fileContent: 'QQ==' }];
  const made = await create({
    attachments,
    attachmentReferences: [
      { ID: reference.id, ProcessKey: reference.processKey, Description: 'The terms', url: 'x:y' },
    ],
  });
  expect(made.statusCode).toBe(200);
  const { key, attachmentReferences } = made.json();
  expect(attachmentReferences).toHaveLength(2);
  const [, copy] = attachmentReferences;
  expect(copy).toMatchObject({
    fileName: 'terms.txt',
    contentLength: terms.length,
    description: 'The terms',
    processKey: key,
    attachmentType: 'Unspecified',
  });
  expect(copy.id).not.toBe(reference.id);
  expect(copy.url).toContain(key);

  await api.toolkit.processes.cancel({ key: reference.processKey, by: 'owner@example.test' });
  await api.toolkit.processes.purge({ key: reference.processKey, by: 'owner@example.test' });
  await api.service.work(['purge']);
  const url = `/api/signing/${key}/attachment/${copy.id}/fileName/terms.txt`;
  const got = await api.app.inject({ url });
  expect([got.statusCode, got.body]).toEqual([200, 'Terms of use']);
  const again = await create({ attachmentReferences: [reference] });
  expect(again.statusCode).toBe(400);
});

test('copies a referenced attachment into a document of a sequence', async () => {
  const reference = await first();
  const made = await api.app.inject({
    method: 'POST',
    url: '/api/management/signing/sequential',
    headers: { authorization: api.basic },
    payload: {
      createSigningProcesses: [body({ attachmentReferences: [reference] })],
      user: 'owner@example.test',
    },
  });
  expect(made.json().signingProcesses[0].attachmentReferences).toMatchObject([
    { fileName: 'terms.txt' },
  ]);
});

test.each([
  ['nothing', {}],
  ['an unknown attachment', { id: 'at0000' }],
  ['an unknown process', { processKey: 'sp00000000000000000000000000000000' }],
  ['a URL only', { id: '', url: 'https://example.test/terms.txt' }],
])('rejects a reference to %s', async (_what, change) => {
  const reference = Object.keys(change).length === 0 ? {} : { ...(await first()), ...change };
  const refused = await create({ attachmentReferences: [reference] });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().responseStatus.errors[0].fieldName).toBe('attachmentReferences[0].id');
});

test('answers the same for an unknown attachment and for one of another company', async () => {
  const reference = await first();
  const { body: said } = await create({
    attachmentReferences: [{ ...reference, id: 'at0000' }],
  });
  const [flow] = (
    await api.app.inject({ url: '/api/management/flow', headers: { authorization: api.foreign } })
  ).json();
  const refused = await create(
    { flowKey: flow.flowKey, attachmentReferences: [reference] },
    api.foreign,
  );
  expect([refused.statusCode, refused.body]).toEqual([400, said]);
});

test('counts attachment references towards the limit on attachments', async () => {
  const reference = await first();
  const attachmentReferences = Array.from({ length: 50 }, () => reference);
  const attachments = [{ fileName: 'own.txt', fileContent: 'QQ==' }];
  expect((await create({ attachmentReferences })).statusCode).toBe(200);
  expect((await create({ attachmentReferences, attachments })).statusCode).toBe(400);
});
