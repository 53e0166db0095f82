import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../api/support/open-api.ts';
import { formOf } from '../api/support/upload.ts';

let api: TestApi;
let visitors = 0;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

/** Each visitor has a separate address, so that no limit is reached by chance. */
const send = (content: Buffer) =>
  api.app.inject({
    ...{ method: 'POST', url: '/s/verify', remoteAddress: `198.18.0.${++visitors}` },
    ...formOf('file', 'a.pdf', content, {}),
  });

describe('the verification page rejects or checks expensive files within 5 s', () => {
  const flate = (length: number) => {
    const stream = deflateSync(Buffer.alloc(length, 0x20));
    const head = `1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${stream.length}>>`;
    const tail = '\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF';
    return Buffer.concat([Buffer.from(`%PDF-1.7\n${head}\nstream\n`), stream, Buffer.from(tail)]);
  };
  test.each<[string, () => Buffer]>([
    ['a PDF with 200 MB of blanks', () => flate(200 << 20)],
    ['a PDF of opening brackets', () => Buffer.from(`%PDF-1.7\n${'<<['.repeat(1_000_000)}`)],
    ['a PDF of object headers', () => Buffer.from(`%PDF-1.7\n${'1 0 obj\n'.repeat(500_000)}%%EOF`)],
    ['XML with entities', () => Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
    ['deeply nested XML', () => Buffer.from('<a>'.repeat(1_000_000))],
    ['a ZIP of one repeated byte', () => Buffer.from('PK\x03\x04'.repeat(1_000_000), 'latin1')],
    ['deeply nested DER', () => Buffer.alloc(1 << 20, Buffer.from([0x30, 0x80]))],
    ['zeros', () => Buffer.alloc(1 << 20)],
  ])('%s', async (_, content) => {
    const bytes = content();
    const startMs = performance.now();
    const { statusCode, body } = await send(bytes);
    expect([200, 422]).toContain(statusCode);
    expect(body).toContain('<form');
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});
