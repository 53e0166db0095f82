import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordinaryPdf } from '../../scripts/stalls/documents.ts';
import { JsonDocuments, placeholderOf } from '../../src/api/plugins/bodies/json-documents.ts';
import { fc } from '../support/property.ts';
import { costlyRows, runs } from '../support/sample.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';

const bytesOf = (lengthBytes: number, seed = 1) =>
  Buffer.from(
    Uint8Array.from({ length: lengthBytes }, (_, at) => Math.imul(at + seed, 40_503) >> 7),
  );
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The JSON in chunks of this size. */
function taken(json: string, pieceBytes: number, sizeBytes = 64) {
  const documents = new JsonDocuments(sizeBytes);
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    documents.take(bytes.subarray(at, at + pieceBytes));
  }
  const { text, documents: found } = documents.end();
  return { value: JSON.parse(text.toString()), found };
}

describe('base64 documents in chunked JSON', () => {
  const long = bytesOf(40_001);
  const mark = placeholderOf(digestOf(long));
  const base64 = long.toString('base64');
  const written = (text: string, name = 'pdfDocument') =>
    `{"a":"b\\"","${name}" :\n"${text}","c":[1]}`;

  test.each([
    ['as it is', base64],
    ['with white space', base64.replaceAll(/.{76}/g, '$&\\r\\n')],
    ['with escaped slashes', base64.replaceAll('/', '\\/')],
    ['with escaped pluses', base64.replaceAll('+', '\\u002b')],
    ['without padding', base64.replaceAll('=', '')],
    ['as base64url', long.toString('base64url')],
  ])('are decoded %s', (_what, text) => {
    for (const pieceBytes of [1_000_000, 4099, 7]) {
      const { value, found } = taken(written(text), pieceBytes);
      expect(value).toEqual({ a: 'b"', pdfDocument: mark, c: [1] });
      expect(found.get(mark)?.equals(long)).toBe(true);
    }
  });

  test.each([
    ['a data URL in front', `data:application/pdf;base64,${base64}`],
    ['an excess digit', `${base64.replaceAll('=', '')}A`.padEnd(53_337, 'A')],
    ['padding in the middle', `${base64}${base64}`],
    ['another text', 'ö'.repeat(40_000)],
    ['an escaped quote', `${base64.slice(0, 40_000)}\\"${base64}`],
  ])('are rejected with %s', (_what, text) => {
    const { value, found } = taken(written(text), 1000);
    expect([...found.values()]).toEqual([undefined]);
    expect(found.has(value.pdfDocument)).toBe(true);
  });

  test('are recognised by member name in any case; other long texts stay in the JSON', () => {
    for (const name of ['PDFDOCUMENT', 'xmlDocument', 'document', 'fileContent']) {
      expect(taken(written(base64, name), 999).value[name]).toBe(mark);
    }
    for (const name of ['schema', 'documents', 'pdfFieldData', '']) {
      expect(taken(written(base64, name), 999).value[name]).toBe(base64);
    }
    expect(taken(JSON.stringify(['document', base64]), 999).value[1]).toBe(base64);
    expect(taken(written('QQ=='), 3).value.pdfDocument).toBe('QQ==');
  });

  test('take constant time per chunk, however long they are', () => {
    const piece = Buffer.alloc(65_536, 'QUFB');
    const documents = new JsonDocuments(20_000_000);
    documents.take(Buffer.from('{"document":"'));
    const times = Array.from({ length: 300 }, () => {
      const begunAt = performance.now();
      documents.take(piece);
      return performance.now() - begunAt;
    });
    documents.take(Buffer.from('"}'));
    const [bytes] = documents.end().documents.values();
    expect(bytes?.length).toBe((300 * 65_536 * 3) / 4);
    expect(documents.textBytes).toBeLessThan(200);
    expect(times.toSorted((a, b) => a - b)[150]).toBeLessThan(20);
  });

  test('leave the rest of the JSON unchanged, wherever chunks end', () => {
    const tree = fc.dictionary(fc.constantFrom('document', 'a', 'b"\\', 'ö'), fc.json(), {
      maxKeys: 4,
    });
    fc.assert(
      fc.property(
        tree,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 50 }),
        (value, size, at) => {
          const json = JSON.stringify({ ...value, [`d${at}`]: 1, fileContent: base64, z: value });
          const { value: found } = taken(json, size * 13);
          expect(found).toEqual({ ...JSON.parse(json), fileContent: mark });
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe('requests with long documents', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi();
  }, 60_000);
  afterAll(() => api.close());

  const signees = [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }];
  const post = (url: string, payload: object, more: object = {}) =>
    api.app.inject({
      method: 'POST',
      url,
      headers: { authorization: api.basic, ...more },
      payload,
    });
  const create = (payload: object, more: object = {}) =>
    post(
      '/api/management/signing',
      { flowKey: api.flowKey, createSignees: signees, ...payload },
      more,
    );
  const pdf = ordinaryPdf(600_000);
  const pdfDocument = pdf.toString('base64');
  const document = { pdfDocument, pdfFileName: 'a.pdf' };

  test('store what was sent, and return attachments unchanged', async () => {
    const content = bytesOf(500_000);
    const attachments = [
      { fileName: 'a.bin', fileContent: content.toString('base64') },
      { fileName: 'b.txt', fileContent: 'QQ==' },
      // The same bytes as the document, which is moved to a thread.
      { fileName: 'c.pdf', fileContent: pdfDocument },
    ];
    const made = await create({ ...document, attachments }, { 'idempotency-key': 'long' });
    expect(made.statusCode).toBe(200);
    expect(made.json().attachments).toEqual(attachments);
    expect(Number(made.headers['content-length'])).toBe(made.rawPayload.length);
    const { key, signees: made2, attachmentReferences } = made.json();
    const shown = await api.app.inject(`/api/pdf/${key}/${made2[0].key}.pdf`);
    expect(shown.rawPayload.equals(pdf)).toBe(true);
    const [{ id }] = attachmentReferences;
    const file = await api.app.inject(`/api/signing/${key}/attachment/${id}/fileName/a.bin`);
    expect(file.rawPayload.equals(content)).toBe(true);
    const again = await create({ ...document, attachments }, { 'idempotency-key': 'long' });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json()).toEqual(made.json());
    const other = [{ fileName: 'a.bin', fileContent: bytesOf(500_000, 2).toString('base64') }];
    const reused = await create({ ...document, attachments: other }, { 'idempotency-key': 'long' });
    expect(reused.json().errorCode).toBe('idempotency.key.reused');
  });

  test('seal and verify them, in JSON too', async () => {
    const request = { flowKey: api.flowKey, pdfDocument };
    const sealed = await post('/api/management/sealing', request, { accept: 'application/json' });
    const bytes = Buffer.from(sealed.json().pdfDocument, 'base64');
    expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const checked = await post('/api/verify', { document: bytes.toString('base64') });
    expect(checked.json().signatures[0].kind).toBe('signature');
  });

  test.each<[string, () => object, number, string]>([
    [
      'text that is not base64',
      () => ({ ...document, pdfDocument: `${'ö'.repeat(300_000)}` }),
      400,
      'pdfDocument',
    ],
    ['a document in meta', () => ({ ...document, meta: { document: pdfDocument } }), 400, 'meta'],
    ...costlyRows<[string, () => object, number, string]>([
      '51 MB',
      () => ({ ...document, pdfDocument: 'A'.repeat(71_000_000) }),
      413,
      '',
    ]),
  ])('with %s are rejected', async (_what, body, status, field) => {
    const refused = await create(body());
    expect(refused.statusCode).toBe(status);
    expect(refused.json().responseStatus.errors?.[0]?.fieldName ?? '').toBe(field);
  });

  test('with too much JSON beside documents are rejected, with the limit', async () => {
    const refused = await create({ ...document, x: 'y'.repeat(9_000_000) });
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toMatchObject({
      errorCode: 'limit.exceeded',
      message: expect.stringContaining('at most 8388608 bytes besides its documents'),
    });
  });
});
