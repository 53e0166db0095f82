import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { limits } from '../../src/base/limits.ts';
import { languages } from '../../src/domain/message/index.ts';
import { sealPdf } from '../../src/index.ts';
import { sealOptions } from '../support/sealing.ts';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';
import { formOf } from './support/upload.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/pdf/${name}`, import.meta.url));
const english = pageWords('En');

let api: TestApi;
let sealed: Buffer;
let xml: Buffer;
beforeAll(async () => {
  api = await openTestApi();
  const seal = (path: string, type: string, payload: Buffer | string) =>
    api.app.inject({
      method: 'POST',
      url: `/api/management/sealing${path}?FlowKey=${api.flowKey}`,
      headers: { authorization: api.basic, 'content-type': type },
      payload,
    });
  sealed = (await seal('', 'application/pdf', agreement)).rawPayload;
  xml = (await seal('/xml', 'application/xml', '<a><b>text</b></a>')).rawPayload;
}, 60_000);
afterAll(() => api.close());

const send = (
  content: Buffer,
  { name = 'a.pdf', headers = {}, url = '/s/verify', from = '' } = {},
  app = api.app,
) =>
  app.inject({
    ...{ method: 'POST', url },
    ...(from === '' ? {} : { remoteAddress: from }),
    ...formOf('file', name, content, headers),
  });

/** `bytes` with one signed byte changed. */
function altered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf('/MediaBox');
  expect(at).toBeGreaterThan(0);
  copy.write('/MediaBax', at, 'latin1');
  return copy;
}

describe('GET /s/verify', () => {
  test('is a form that needs no script and no cookie, and cannot be indexed or framed', async () => {
    const { statusCode, headers, body } = await api.app.inject({ url: '/s/verify' });
    expect(statusCode).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(body).toContain('enctype="multipart/form-data"');
    expect(body).toContain(english.verifyIntro);
    expect(body).not.toContain('<script');
  });

  test.each(languages)('is in %s by Accept-Language and by choice', async (language) => {
    const words = pageWords(language);
    const tag = language.toLowerCase();
    const asked = await api.app.inject({
      url: '/s/verify',
      headers: { 'accept-language': `xx, ${tag}-XX;q=0.8, en;q=0.1` },
    });
    const chosen = await api.app.inject({ url: `/s/verify?lng=${tag}` });
    for (const { body } of [asked, chosen]) expect(body).toContain(words.verifyTitle);
    expect(asked.headers.vary).toContain('accept-language');
    expect(chosen.body).toContain(`action="/s/verify?lng=${tag}"`);
  });

  test('GET /verify redirects to it, and POST /verify stays the API route', async () => {
    const { statusCode, headers } = await api.app.inject({ url: '/verify?lng=is-IS' });
    expect([statusCode, headers.location]).toEqual([303, '/s/verify?lng=is']);
    const other = await api.app.inject({ url: '/verify?lng=//evil.example' });
    expect(other.headers.location).toBe('/s/verify');
    const { statusCode: asked } = await api.app.inject({ method: 'POST', url: '/verify' });
    expect(asked).toBe(401);
  });
});

describe('POST /s/verify', () => {
  test('valid: states who signed, when and how, and what was added later', async () => {
    const { statusCode, body } = await send(sealed, { name: 'Lease.pdf' });
    expect(statusCode).toBe(200);
    expect(body).toContain('<bdi>Lease.pdf</bdi>');
    expect(body).toContain('The document can be relied on.');
    expect(body).toContain('TEST ONLY');
    expect(body).toMatch(/innsigli TEST ONLY seal RSA\S* signed it; a time-stamp proves/);
    expect(body).toContain('PAdES B-LTA');
    expect(body).toContain(english.verifyData);
    expect(body).toContain('TOTAL-PASSED');
    expect(body).not.toContain('<script');
  });

  test('invalid: states that signed content was changed', async () => {
    const { statusCode, body } = await send(altered(sealed));
    expect(statusCode).toBe(200);
    expect(body).toContain('The document cannot be relied on.');
    expect(body).toContain('the signed content was changed');
    expect(body).toContain('TOTAL-FAILED / HASH_FAILURE');
    expect(body).not.toContain('class="note even good"');
  });

  test('indeterminate: states that the certificate is not trusted here', async () => {
    const { bytes } = await sealPdf(agreement, sealOptions());
    const { statusCode, body } = await send(Buffer.from(bytes));
    expect(statusCode).toBe(200);
    expect(body).toContain('It could not be established whether the document can be relied on.');
    expect(body).toContain('NO_CERTIFICATE_CHAIN_FOUND');
    expect(body).toContain('Anyone can create a certificate with this name.');
    expect(body).toContain('class="note open"');
  }, 60_000);

  test('verifies XML, and reports a document that is not signed', async () => {
    expect((await send(xml, { name: 'a.xml' })).body).toContain('XAdES');
    const { statusCode, body } = await send(agreement);
    expect([statusCode, body.includes('The document is not signed.')]).toEqual([200, true]);
  });

  test('answers in the chosen language', async () => {
    const { body } = await send(sealed, { url: '/s/verify?lng=is' });
    expect(body).toContain('<html lang="is');
    expect(body).toContain(pageWords('Is').verifyData);
    expect(body).not.toContain(english.verifyData);
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'verifyEmpty'],
    ['a text file', fixture('not-a-pdf.txt'), 'verifyUnreadable'],
    ['only a header', fixture('header-only.pdf'), 'verifyUnreadable'],
    ['malformed XML', Buffer.from('<a><b></a>'), 'verifyUnreadable'],
    ['a malformed container', Buffer.from('PK\u0003\u0004broken'), 'verifyUnreadable'],
    ['malformed CMS', Buffer.from('3080060a', 'hex'), 'verifyUnreadable'],
  ] as const)('%s: the page says so', async (_what, content, word) => {
    const { statusCode, headers, body } = await send(content);
    expect([statusCode, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    expect(body).toContain(english[word]);
  });

  test('reports a PDF that requires a password', async () => {
    const locked = readFileSync(new URL('../../fixtures/pdf/encrypted.pdf', import.meta.url));
    const { statusCode, body } = await send(locked);
    expect([statusCode, body.includes(english.verifyEncrypted)]).toEqual([422, true]);
  });

  test.each([
    ['<img src=x onerror=alert(1)>.pdf', '&lt;img src=x onerror=alert(1)&gt;.pdf'],
    ['a%22><b>.pdf', '&lt;b&gt;.pdf'],
    ['C:\\Users\\me\\a.pdf', '<bdi>a.pdf</bdi>'],
    ['../../etc/passwd', '<bdi>passwd</bdi>'],
    ['x\u202Efdp.exe', '<bdi>xfdp.exe</bdi>'],
    [`${'long '.repeat(2000)}.pdf`, undefined],
    ['n'.repeat(500), `<bdi>${'n'.repeat(119)}…</bdi>`],
  ])('neutralises the hostile file name %s', async (name, shown) => {
    const { statusCode, body } = await send(sealed, { name });
    if (shown === undefined) return expect(statusCode).toBe(422);
    expect(body).toContain(shown);
    expect(body).not.toMatch(/<img|<b>|\u202e/);
  });

  test.each([
    ['from a different site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, 422],
    ['with a different boundary', { 'content-type': 'multipart/form-data; boundary=other' }, 422],
    ['of a different type', { 'content-type': 'application/pdf' }, 415],
  ])('a form %s is rejected on the page', async (_what, headers, status) => {
    const { statusCode, headers: answered, body } = await send(sealed, { headers });
    expect([statusCode, answered['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(body).toContain('<form method="post"');
    expect(body).not.toContain('can be relied on');
  });
});

describe('limits of visitors', () => {
  test('a file above 20 MB is answered with 413', async () => {
    for (const size of [limits.pageFileBytes + 1, limits.pageFileBytes + limits.pageFormBytes]) {
      const { statusCode, body } = await send(Buffer.alloc(size, 0x20));
      expect([size, statusCode]).toEqual([size, 413]);
      expect(body).toContain('at most 20 MB are checked here');
    }
  });

  test('too many files of one address are answered with 429 and Retry-After, and others are served', async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= limits.pageChecksAtOnce; count += 1) {
      statuses.push((await send(agreement, { from: '203.0.113.7' })).statusCode);
    }
    expect(statuses).toEqual([...Array(limits.pageChecksAtOnce).fill(200), 429]);
    const last = await send(agreement, { from: '203.0.113.7', url: '/s/verify?lng=de' });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect(last.body).toContain(`Warten Sie ${last.headers['retry-after']} s`);
    expect((await send(agreement, { from: '203.0.113.8' })).statusCode).toBe(200);
    const look = await api.app.inject({ url: '/s/verify', remoteAddress: '203.0.113.7' });
    expect(look.statusCode).toBe(200);
    api.pass(6000);
    expect((await send(agreement, { from: '203.0.113.7' })).statusCode).toBe(200);
  });

  test('too many bytes of one address are answered with 429', async () => {
    const big = Buffer.alloc(limits.pageFileBytes - 1024, 0x20);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await send(big, { from: '203.0.113.9' })).statusCode);
    }
    expect(statuses).toEqual([422, 422, 422, 429]);
  });

  test('too many bytes in progress are answered with 503 or 429, and are all released', async () => {
    const small = { whole: 40 * 1024, share: 20 * 1024 };
    const tight = await openTestApi({
      bodyBytes: { companies: small, others: small, visitors: small },
    });
    try {
      const content = Buffer.alloc(30 * 1024, 0x20);
      const refused = await send(content, { from: '203.0.113.7' }, tight.app);
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
      expect(refused.body).toContain('Wait 5 s');
      for (let count = 0; count < 5; count += 1) {
        const { statusCode } = await send(agreement, { from: '203.0.113.7' }, tight.app);
        expect(statusCode).toBe(200);
      }
    } finally {
      await tight.close();
    }
  }, 60_000);
});

test('if disabled, /verify is an unknown page and POST /verify still works', async () => {
  const off = await openTestApi({}, { INNSIGLI_PAGES_VERIFY: 'false' });
  try {
    for (const url of ['/verify', '/s/verify']) {
      const { statusCode, body } = await off.app.inject({ url });
      expect([url, statusCode, body.includes(english.unknown)]).toEqual([url, 404, true]);
    }
    expect((await send(sealed, {}, off.app)).statusCode).toBe(404);
    expect((await off.app.inject({ method: 'POST', url: '/verify' })).statusCode).toBe(401);
  } finally {
    await off.close();
  }
}, 60_000);
