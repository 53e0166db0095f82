import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asKey } from '../../src/domain/keys.ts';
import { noisePdf } from '../support/noise-pdf.mjs';
import { type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { agreement } from './support/open-api.ts';
import { type PageBrowser, pageBrowser } from './support/page-browser.ts';

let api: IdentityApi;
let long: Buffer;
beforeAll(async () => {
  api = await openIdentityApi();
  long = await noisePdf(3, 400_000);
}, 60_000);
afterAll(() => api.close());

const anna = {
  name: 'Anna',
  email: 'anna@example.test',
  signatureType: 'ClickToSign',
  language: 'En',
};
const bo = { ...anna, name: 'Bo', email: 'bo@example.test' };
const html = 'text/html; charset=utf-8';
const yes = { agree: 'yes' };
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const linkOf = ({ processKey }: Place, signeeKey: string) => `/s/${processKey}/${signeeKey}`;

/** A document to be signed by two persons, and the browser of the first one on its page. */
async function openPlace(signees: readonly object[] = [anna, bo], more: object = {}) {
  const place = await api.process(signees, more);
  const [first = '', second = ''] = place.signeeKeys.map((key) => linkOf(place, key));
  const browser = pageBrowser(api);
  await browser.open(first);
  const address = `${first}/documents/${place.processKey}`;
  return { place, browser, first, second, address };
}

/** Lets the page record a view; returns the digest of the document. */
async function read(browser: PageBrowser, { processKey }: Place): Promise<string> {
  expect((await browser.send('read')).status).toBe(200);
  const { document } = await api.toolkit.processes.show({ key: processKey });
  return document?.sha256 ?? '';
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET' as const) {
  const {
    statusCode: status,
    headers: found,
    rawPayload,
  } = await api.app.inject({
    ...{ method, url, headers },
  });
  return { status, headers: found, bytes: rawPayload };
}

/** Makes the record state that a different document was shown, as a tampered store would. */
function showedOther({ processKey }: Place, shown: string): void {
  const database = new Database(join(api.dataDir, 'innsigli.db'));
  const edit = 'UPDATE process SET data = replace(data, ?, ?) WHERE key = ?';
  for (const name of ['viewedSha256', 'shownSha256']) {
    const [from, to] = [shown, 'ab'.repeat(32)].map((sha256) => `"${name}":"${sha256}"`);
    database.prepare(edit).run(from, to, processKey);
  }
  database.close();
}

const rowsOf = ({ processKey }: Place) => {
  const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, skip: 0, take: 100 };
  return api.toolkit.activity.list({ ...all, processKey: asKey('process', processKey) });
};

describe('GET of the document of a signing page', () => {
  test('a long document is recorded as shown, and read by the requested ranges', async () => {
    const pdfDocument = long.toString('base64');
    const { place, browser, address } = await openPlace([anna], { pdfDocument });
    expect((await get(address)).status).toBe(404);
    const { status, headers, body } = await browser.send('read', { ranges: 'yes' });
    const { document, signees } = await api.toolkit.processes.show({ key: place.processKey });
    const etag = `"${document?.sha256}"`;
    expect([status, body]).toEqual([204, '']);
    expect(headers).toMatchObject({ etag, 'content-location': address });
    expect(signees[0]?.viewedSha256).toBe(document?.sha256);
    const rows = await rowsOf(place);
    const whole = await get(address);
    expect([whole.status, digest(whole.bytes)]).toEqual([200, document?.sha256]);
    expect(whole.headers).toMatchObject({
      ...{ etag, 'accept-ranges': 'bytes', 'content-type': 'application/pdf' },
      ...{ 'content-length': `${long.length}`, 'cache-control': 'private, no-store' },
    });
    const part = await get(address, { range: 'bytes=100000-399999', 'if-match': etag });
    expect(part.status).toBe(206);
    expect(part.bytes.equals(long.subarray(100_000, 400_000))).toBe(true);
    expect(part.headers).toMatchObject({
      ...{ etag, 'content-range': `bytes 100000-399999/${long.length}` },
      ...{ 'content-length': '300000', 'content-type': 'application/pdf' },
    });
    const end = await get(address, { range: 'bytes=-50', 'if-range': etag });
    expect([end.status, end.bytes.equals(long.subarray(-50))]).toEqual([206, true]);
    // None of these records a view: the page has done that.
    expect(await rowsOf(place)).toEqual(rows);
  });

  test('answers multiple, unsatisfiable and conditional ranges with 200, 416, 412 or 304', async () => {
    const { place, browser, address } = await openPlace();
    const etag = `"${await read(browser, place)}"`;
    const several = await get(address, { range: 'bytes=0-1,4-5' });
    expect([several.status, several.bytes.length]).toEqual([200, agreement.length]);
    const other = await get(address, { range: 'bytes=0-1', 'if-range': '"other"' });
    expect([other.status, other.bytes.length]).toEqual([200, agreement.length]);
    const behind = await get(address, { range: `bytes=${agreement.length}-` });
    expect([behind.status, behind.headers['content-type']]).toEqual([416, html]);
    expect(behind.headers['content-range']).toBe(`bytes */${agreement.length}`);
    const changed = await get(address, { range: 'bytes=0-1', 'if-match': '"other"' });
    expect([changed.status, changed.headers['content-type']]).toEqual([412, html]);
    expect(changed.bytes.toString()).toContain('The document has changed since you read it.');
    const known = await get(address, { 'if-none-match': etag });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    const head = await api.app.inject({
      method: 'HEAD',
      url: address,
      headers: { range: 'bytes=0-1' },
    });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, `${agreement.length}`]);
    expect(head.headers.etag).toBe(etag);
  });

  test('answers malformed ranges, extreme ranges and unusual conditions correctly', async () => {
    const { place, browser, address } = await openPlace();
    const etag = `"${await read(browser, place)}"`;
    const all = agreement.length;
    const nines = '9'.repeat(400);
    for (const [headers, status, bytes] of [
      ...([
        [{ range: `bytes=${nines}-` }, 416, undefined],
        [{ range: `bytes=${nines}-${nines}` }, 416, undefined],
        [{ range: `bytes=0-${nines}` }, 206, all],
        [{ range: `bytes=-${nines}` }, 206, all],
        [{ range: 'bytes=-0' }, 416, undefined],
        [{ range: 'bytes=9007199254740993-' }, 416, undefined],
        [{ range: 'bytes=5-4' }, 200, all],
        [{ range: 'bytes=--5' }, 200, all],
        [{ range: 'bytes=-5-5' }, 200, all],
        [{ range: 'bytes=0x0-0x5' }, 200, all],
        [{ range: 'bytes=1e1-2e1' }, 200, all],
        [{ range: 'bytes=\u0661-5' }, 200, all],
        [{ range: 'bytes=' }, 200, all],
        [{ range: 'pages=0-1' }, 200, all],
        [{ range: 'BYTES= 0-1 ' }, 206, 2],
      ] as const),
      ...([
        [{ range: 'bytes=0-1', 'if-range': `W/${etag}` }, 200, all],
        [{ range: 'bytes=0-1', 'if-range': '*' }, 200, all],
        [{ range: 'bytes=0-1', 'if-range': new Date().toUTCString() }, 200, all],
        [{ range: 'bytes=0-1', 'if-match': `"x", ${etag}` }, 206, 2],
        [{ range: 'bytes=0-1', 'if-match': '*' }, 206, 2],
        [{ range: 'bytes=0-1', 'if-match': `W/${etag}` }, 412, undefined],
        [{ range: 'bytes=0-1', 'if-match': etag.slice(1, -1) }, 412, undefined],
        [{ range: 'bytes=0-1', 'if-match': ',,' }, 412, undefined],
        [{ range: 'bytes=0-1', 'if-none-match': `W/${etag}` }, 304, 0],
      ] as const),
    ] as const) {
      const found = await get(address, headers);
      expect([headers, found.status]).toEqual([headers, status]);
      if (bytes !== undefined) expect([headers, found.bytes.length]).toEqual([headers, bytes]);
      const isFile = status === 200 || status === 206;
      expect(found.bytes.subarray(0, 2).toString() === '%P').toBe(isFile);
      expect(found.headers['cache-control']).toContain('no-store');
    }
  });

  test('serves only what the signee was shown: nothing to others, elsewhere or afterwards', async () => {
    const { place, browser, address, second } = await openPlace();
    await read(browser, place);
    const other = await api.process([anna, bo]);
    for (const url of [
      `${second}/documents/${place.processKey}`,
      address.replace(place.processKey, other.processKey),
      `${linkOf(other, other.signeeKey)}/documents/${place.processKey}`,
      `${address}x`,
      `${address}%00`,
    ]) {
      const found = await get(url);
      expect([url, found.status]).toEqual([url, 404]);
      expect(found.headers['content-type']).toContain('text/html');
    }
    await api.toolkit.processes.cancel({ key: place.processKey, by: 'owner@example.test' });
    expect((await get(address)).status).toBe(404);
  });

  test('requires the login of the page', async () => {
    const odon = { name: 'Ödön', ssn: '6000101994', phoneNumber: '6666666' };
    const qualified = { ...anna, ...odon, signatureType: 'Qualified' };
    const { place, browser, address, first } = await openPlace([qualified], { requiresAuth: true });
    await browser.send('login', { channel: 'Sim', hint: '6666666' });
    api.answer();
    await browser.open(first);
    await read(browser, place);
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    expect((await get(address, { cookie, range: 'bytes=0-1' })).status).toBe(206);
    const closed = await get(address, { range: 'bytes=0-1' });
    expect([closed.status, closed.headers['content-range']]).toEqual([403, undefined]);
    expect(closed.bytes.includes('%PDF')).toBe(false);
  });

  test('a document that others sign meanwhile is the one that the person signs', async () => {
    const { place, browser, second } = await openPlace();
    const shown = await read(browser, place);
    const other = pageBrowser(api);
    await other.open(second);
    await other.send('sign', yes);
    expect((await browser.send('sign', yes)).title).toBe('You have signed');
    const { signees } = await api.toolkit.processes.show({ key: place.processKey });
    const { shownSha256, signedSha256 } = signees[0]?.proof ?? {};
    expect(shownSha256).toBe(shown);
    expect(signedSha256).not.toBe(shown);
  });

  test('serves the shown revision until the document is read again, although others sign meanwhile', async () => {
    const { place, browser, address, second, first } = await openPlace();
    const before = await read(browser, place);
    const other = pageBrowser(api);
    await other.open(second);
    await other.send('sign', yes);
    const etag = `"${before}"`;
    const on = await get(address, { range: 'bytes=-10', 'if-match': etag });
    expect([on.status, on.bytes.equals(agreement.subarray(-10))]).toEqual([206, true]);
    expect((await api.toolkit.processes.show({ key: place.processKey })).documentRev).toBe(1);
    await browser.open(first);
    const again = await read(browser, place);
    expect(again).not.toBe(before);
    expect((await get(address)).bytes.length).toBeGreaterThan(agreement.length);
    expect((await get(address, { 'if-match': etag })).status).toBe(412);
    expect((await browser.send('sign', yes)).title).toBe('You have signed');
    const { signees } = await api.toolkit.processes.show({ key: place.processKey });
    const { shownSha256, signedSha256 } = signees[0]?.proof ?? {};
    expect([shownSha256, signedSha256]).toEqual([again, again]);
    // A person who has signed reads the current document.
    await browser.open(first);
    const now = await read(browser, place);
    expect(now).not.toBe(again);
    expect(digest((await get(address)).bytes)).toBe(now);
  });
});

test('a short document is sent in one response, whatever the script supports', async () => {
  const place = await api.process(anna);
  const browser = pageBrowser(api);
  await browser.open(linkOf(place, place.signeeKey));
  const { headers, body } = await browser.send('read', { ranges: 'yes' });
  expect([headers['content-type'], body.startsWith('%PDF-')]).toEqual(['application/pdf', true]);
  const part = await get(`${linkOf(place, place.signeeKey)}/documents/${place.processKey}`, {
    range: 'bytes=0-4',
  });
  expect([part.status, part.bytes.toString()]).toEqual([206, '%PDF-']);
});

describe('a document replaced after it was read', () => {
  const simple = { ...anna, signatureType: 'Simple', phoneNumber: '5812345' };
  const odon = { ...anna, name: 'Ödön', ssn: '6000101994', phoneNumber: '6666666' };
  const qualified = { ...odon, signatureType: 'Qualified' };
  test.each([
    ['a click', anna, 'sign', {}],
    ['a code', simple, 'code', {}],
    ['an e-ID', qualified, 'start', { channel: 'Sim' }],
    ['an e-ID with a typed number', qualified, 'start', { channel: 'App', ssn: '6000101994' }],
    ['a foreign e-ID', qualified, 'foreign', { scheme: 'eid-se' }],
  ])('cannot be signed by %s', async (_, signee, act, fields) => {
    const { place, browser, first } = await openPlace([signee, bo]);
    const shown = await read(browser, place);
    showedOther(place, shown);
    await browser.open(first);
    const late = await browser.send(act, { ...yes, ...fields });
    // Typed values are shown again, and not stored.
    expect(late.sent).toBe('ssn' in fields ? 409 : 303);
    expect(late.body).toMatch(/role="alert"[^>]*>The document has changed since you read it\./);
    expect((await api.toolkit.processes.show({ key: place.processKey })).documentRev).toBe(0);
    await browser.send('read');
    expect((await browser.send(act, { ...yes, ...fields })).status).toBe(200);
  });

  test('can be signed by a person who never opened it and confirms having read it', async () => {
    const place = await api.process([anna, bo]);
    const [first = '', second = ''] = place.signeeKeys.map((key) => linkOf(place, key));
    const [one, two] = [pageBrowser(api), pageBrowser(api)];
    await one.open(first);
    await two.open(second);
    await two.send('sign', yes);
    expect((await one.send('sign', yes)).title).toBe('You have signed');
  });
});
