import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;
beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

test.each([
  ['reader.js', 'text/javascript; charset=utf-8'],
  ['drawing.js', 'text/javascript; charset=utf-8'],
  ['pdf.min.mjs', 'text/javascript; charset=utf-8'],
  ['pdf.worker.min.mjs', 'text/javascript; charset=utf-8'],
  ['cmaps/UniJIS-UTF16-H.bcmap', 'application/octet-stream'],
  ['fonts/LiberationSans-Regular.ttf', 'font/ttf'],
  ['wasm/openjpeg.wasm', 'application/wasm'],
])('serves the reader file %s', async (file, type) => {
  const { status, headers } = await api.get(`/s/reader/${file}`);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  const again = await api.get(`/s/reader/${file}`, { 'if-none-match': String(headers['etag']) });
  expect([again.status, again.body]).toEqual([304, '']);
});

test.each([
  ...['LICENSE', 'SHA256SUMS', '..%2f..%2fpackage.json', '.js', 'x.mjs', 'cmaps', 'other/x.js'],
  ...['fonts/..%2freader.js', 'fonts/LICENSE_FOXIT', 'a%00.js'],
])('serves no other file: %s', async (file) => {
  expect([400, 404]).toContain((await api.get(`/s/reader/${file}`)).status);
});
