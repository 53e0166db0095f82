import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentTexts } from '../../src/adapters/pdf-text/index.ts';
import type { DocumentText, PageText } from '../../src/app/ports/index.ts';
import { asKey } from '../../src/domain/keys.ts';
import { type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { agreement } from './support/open-api.ts';
import { pageBrowser } from './support/page-browser.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const anna = {
  ...{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' },
  language: 'En',
};
const bo = { ...anna, name: 'Bo', email: 'bo@example.test' };
const yes = { agree: 'yes' };
const PAGES = 45;

const pageOf = (number: number, more: Partial<PageText> = {}): PageText => ({
  ...{ number, paragraphs: [`Words of page ${number}.`], fields: [], pictures: [], isCut: false },
  ...more,
});
/** The result of the text extraction, in place of the thread, and the documents passed to it. */
let find: (page: number) => Promise<DocumentText | undefined>;
let given: string[] = [];
const found = (page: number, more: Partial<PageText> = {}): DocumentText => {
  const first = page - ((page - 1) % 20);
  const count = Math.min(20, PAGES - first + 1);
  const pages = Array.from({ length: count }, (_, at) => pageOf(first + at, more));
  return { pageCount: PAGES, language: 'is', pages };
};

let api: IdentityApi;
beforeAll(async () => {
  const texts = documentTexts({
    ordersMax: 2,
    readText: (bytes, page) => {
      given.push(digest(bytes));
      return find(page);
    },
  });
  api = await openIdentityApi({}, {}, texts);
}, 60_000);
afterAll(() => api.close());
beforeEach(() => {
  find = async (page) => found(Math.min(page, PAGES));
  given = [];
});

let documents = 0;
/** A unique document, so that no text of it is cached. */
async function openPlace(signees: readonly object[] = [anna, bo], more: object = {}) {
  documents += 1;
  const pdf = Buffer.concat([agreement, Buffer.from(`\n% ${documents}\n`)]);
  const place = await api.process(signees, { pdfDocument: pdf.toString('base64'), ...more });
  const [first = '', second = ''] = place.signeeKeys.map((key) => `/s/${place.processKey}/${key}`);
  const browser = pageBrowser(api);
  await browser.open(first);
  const address = `${first}/documents/${place.processKey}/text`;
  return { place, browser, first, second, address };
}

const show = ({ processKey }: Place) => api.toolkit.processes.show({ key: processKey });
const rowsOf = ({ processKey }: Place) => {
  const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, skip: 0, take: 100 };
  return api.toolkit.activity.list({ ...all, processKey: asKey('process', processKey) });
};
const get = async (url: string, headers: Record<string, string> = {}) => {
  const reply = await api.app.inject({ method: 'GET', url, headers });
  return { status: reply.statusCode, body: reply.body, headers: reply.headers };
};

describe('the text view of a document', () => {
  test('is shown page by page by a form that records the view, without scripts', async () => {
    const { place, browser, address } = await openPlace();
    expect((await get(address)).status).toBe(404);
    const { status, title, body, headers } = await browser.send('text');
    const { document, signees } = await show(place);
    expect([status, title]).toEqual([200, 'Text of the document']);
    expect(signees[0]?.viewedSha256).toBe(document?.sha256);
    // The text is that of the recorded document, whose digest is shown.
    expect(given).toEqual([document?.sha256]);
    expect(body).toContain(`<code>${document?.sha256}</code>`);
    expect(body).toContain('<h2 id="page-1">Page 1 of 45</h2>');
    expect(body).toContain('<p class="text" dir="auto" lang="is">Words of page 20.</p>');
    expect(body).not.toContain('page-21');
    expect(body).not.toContain('<script');
    expect(headers['cache-control']).toBe('private, no-store');
    const rows = await rowsOf(place);
    const [, later = ''] = /<a href="([^"]*)">Later pages/.exec(body) ?? [];
    expect(later).toBe(`${address}?page=21`);
    const next = await browser.open(later);
    expect(next.body).toContain('Page 21 of 45');
    expect(next.body).toMatch(/<a href="[^"]*\/text">Earlier pages/);
    expect((await browser.open(`${address}?page=999999`)).body).toContain('Page 45 of 45');
    expect((await browser.open(`${address}?page=0`)).body).toContain('Page 1 of 45');
    // None of these records a view: the form has done that.
    expect(await rowsOf(place)).toEqual(rows);
    expect((await browser.open(`${address}?page=x`)).status).toBe(400);
  });

  test('is in the language of the person, and stays in it', async () => {
    const { browser, address, first } = await openPlace();
    await browser.open(`${first}?lng=is`);
    const { title, body } = await browser.send('text');
    expect(title).toBe('Texti skjalsins');
    expect(body).toContain(`<a href="${address}?lng=is&amp;page=21">`);
    expect(body).toContain('<input type="hidden" name="page" value="1">');
    expect(body).toContain(`href="${first}?lng=is"`);
  });

  test('shows fields, descriptions, pages without text and truncation', async () => {
    const fields = [
      { name: 'Name <i>', value: 'A\nB' },
      { name: '', value: 'on' },
    ];
    const text = found(1);
    const [one = pageOf(1), two = pageOf(2), ...rest] = text.pages;
    const pages = [
      { ...one, fields, pictures: ['Map of <Iceland>'] },
      { ...two, paragraphs: ['<script>alert(1)</script>"&'], isCut: true },
      ...rest.map((each) => ({ ...each, paragraphs: [] })),
    ];
    find = async () => ({ ...text, pages });
    const { body } = await (await openPlace()).browser.send('text');
    expect(body).toContain('<dt dir="auto">Name &lt;i&gt;</dt>\n<dd class="text" dir="auto">A\nB');
    expect(body).toContain('Image: Map of &lt;Iceland&gt;');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;');
    expect(body).toContain('Not all text of this page is shown here.');
    expect(body.match(/This page has no text/g)).toHaveLength(18);
  });

  test.each([
    ['cannot be read', undefined, 'The text of this document cannot be read.'],
    ['has no text', found(1, { paragraphs: [] }), 'The document has no text; it may be scanned.'],
  ])('of a document that %s: the page says so, and no view is recorded', async (_, text, why) => {
    find = async () => text;
    const { place, browser, address } = await openPlace();
    const { sent, body } = await browser.send('text');
    expect(sent).toBe(303);
    expect(body).toContain(why);
    expect(body).toContain('name="act" value="download"');
    expect((await show(place)).signees[0]?.viewedSha256).toBeUndefined();
    expect((await get(address)).status).toBe(404);
    if (text !== undefined) return;
    await browser.send('read');
    const late = await get(address);
    expect([late.status, late.body.includes(why)]).toEqual([422, true]);
  });

  test('is queued while others run, and rejected if the queue is full', async () => {
    let go: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    find = async (page) => {
      await gone;
      return found(page);
    };
    const places = [await openPlace(), await openPlace(), await openPlace()] as const;
    const [one, two, three] = places;
    await three.browser.send('read');
    const waiting = [one.browser.send('text'), two.browser.send('text')];
    await expect.poll(() => given.length).toBe(1);
    await expect.poll(async () => (await get(three.address)).status).toBe(503);
    const refused = await three.browser.send('text');
    expect(refused.sent).toBe(303);
    expect(refused.body).toMatch(/role="alert"/);
    go();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect((await get(three.address)).status).toBe(200);
    expect(given).toHaveLength(3);
  });

  test('shows the recorded document until it is read again', async () => {
    const { browser, address, second, first } = await openPlace();
    const before = await browser.send('text');
    const [, sha256 = ''] = /<code>(\w+)<\/code>/.exec(before.body) ?? [];
    const other = pageBrowser(api);
    await other.open(second);
    await other.send('sign', yes);
    expect((await get(address)).body).toContain(sha256);
    await browser.open(first);
    expect((await browser.send('text')).body).not.toContain(sha256);
    await browser.open(first);
    expect((await browser.send('sign', yes)).title).toBe('You have signed');
    // A person who has signed reads the current document.
    expect((await browser.send('text')).status).toBe(200);
  });

  test('is available only to the signee who was shown it', async () => {
    const { place, browser, address, second } = await openPlace();
    await browser.send('text');
    const other = await api.process(anna);
    for (const url of [
      `${second}/documents/${place.processKey}/text`,
      address.replaceAll(place.processKey, other.processKey),
      `/s/${other.processKey}/${other.signeeKey}/documents/${place.processKey}/text`,
    ]) {
      expect([url, (await get(url)).status]).toEqual([url, 404]);
    }
    await api.toolkit.processes.cancel({ key: place.processKey, by: 'owner@example.test' });
    expect((await get(address)).status).toBe(404);
  });

  test('requires the login of the page', async () => {
    const odon = { name: 'Ödön', ssn: '6000101994', phoneNumber: '6666666' };
    const qualified = { ...anna, ...odon, signatureType: 'Qualified' };
    const { browser, address, first } = await openPlace([qualified], { requiresAuth: true });
    expect((await get(address)).status).toBe(403);
    await browser.send('login', { channel: 'Sim', hint: '6666666' });
    api.answer();
    await browser.open(first);
    expect((await browser.send('text')).status).toBe(200);
    const closed = await get(address);
    expect([closed.status, closed.body.includes('Words of page')]).toEqual([403, false]);
  });
});
