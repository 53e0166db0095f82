import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { languages } from '../../src/domain/message/index.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { newestSms } from './support/outbox.ts';
import { pageBrowser } from './support/page-browser.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const anna = {
  name: 'Anna <b>',
  email: 'anna@example.test',
  signatureType: 'ClickToSign',
  communicationDeliveryType: 'Email',
  language: 'En',
};
const bo = { ...anna, name: 'Bo', signatureType: 'Simple', phoneNumber: '5812345' };
const odon = { ...anna, ...einar, signatureType: 'Qualified' };
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
const yes = { agree: 'yes' };
const statusOf = async ({ processKey }: Place) =>
  (await api.toolkit.processes.show({ key: processKey })).signees[0];

describe('the signing page, without scripts', () => {
  test('by click: shows who asks, the document and its signers, and signs', async () => {
    const place = await api.process(anna, { user: 'owner@example.test' });
    const browser = pageBrowser(api);
    const first = await browser.open(linkOf(place));
    expect([first.status, first.title]).toEqual([200, 'Request for a signature']);
    expect(first.body).toContain(`${api.toolkit.company.name} asks you to sign a document.`);
    expect(first.body).toMatch(/Please sign by \w+ \d+, 20\d\d\./);
    expect(first.body).toContain('owner@example.test');
    expect(first.body).toContain('Samningur.pdf');
    expect(first.acts).toEqual(['read', 'download', 'text', 'sign']);
    expect(first.headers['referrer-policy']).toBe('no-referrer');
    expect(first.headers['content-security-policy']).not.toContain('unsafe');
    // Opening a link is not viewing the document, and link scanners sign nothing.
    expect(await statusOf(place)).toMatchObject({ openedAtMs: expect.any(Number) });
    expect((await statusOf(place))?.viewedAtMs).toBeUndefined();
    const document = await browser.send('read');
    expect(document.headers['content-type']).toBe('application/pdf');
    expect(document.body.startsWith('%PDF-')).toBe(true);
    expect((await statusOf(place))?.viewedAtMs).toEqual(expect.any(Number));
    const unread = await browser.send('sign');
    expect([unread.sent, unread.body.includes('Confirm that you have read')]).toEqual([303, true]);
    const signed = await browser.send('sign', yes);
    expect([signed.status, signed.title]).toEqual([200, 'You have signed']);
    expect(signed.acts).toEqual(['read', 'download', 'text']);
    expect((await statusOf(place))?.state).toBe('Signed');
    await api.toolkit.runDueJobs();
    const done = await browser.open(linkOf(place));
    expect(done.body).toContain('Everyone has signed.');
    expect((await browser.send('download')).headers['content-disposition']).toMatch(/^attachment/);
  });

  test('by code: sends it, rejects a wrong one, sends another, and signs', async () => {
    const place = await api.process([bo, anna]);
    const browser = pageBrowser(api);
    const first = await browser.open(linkOf(place));
    expect(first.body).toContain('your phone …345.');
    expect(first.body).toContain('Signed by 0 of 2');
    const sent = await browser.send('code');
    expect(sent.acts).toEqual(['read', 'download', 'text', 'confirm', 'code']);
    expect(sent.body).toContain('autocomplete="one-time-code"');
    const wrong = await browser.send('confirm', { ...yes, code: 'abc' });
    expect(wrong.body).toMatch(/role="alert"[^>]*>The code is incorrect/);
    await api.toolkit.runDueJobs();
    const code = newestSms(api.dataDir);
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `;
    const signed = await browser.send('confirm', { ...yes, code: spaced });
    expect(signed.body).toContain('Thank you. You will receive the document');
  });

  test('does not send codes requested too often', async () => {
    const place = await api.process(bo);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const pages = [];
    for (let count = 0; count < 8; count++) pages.push(await browser.send('code'));
    expect(pages.at(-1)?.sent).toBe(303);
    expect(pages.at(-1)?.body).toContain('Too many attempts.');
  });

  test('by e-ID: shows the verification code, waits and signs', async () => {
    const place = await api.process(odon);
    const browser = pageBrowser(api);
    const first = await browser.open(linkOf(place));
    expect(first.acts).toEqual(['read', 'download', 'text', 'start', 'foreign']);
    expect(first.body).toContain('This is a test');
    const waiting = await browser.send('start', { ...yes, channel: 'Sim', phone: '6666666' });
    expect(waiting.body).toMatch(/<p class="code">\d{4}<\/p>/);
    expect(waiting.body).toContain('http-equiv="refresh"');
    expect(waiting.acts).toEqual(['cancel']);
    api.answer();
    const signed = await browser.open(linkOf(place));
    expect(signed.title).toBe('You have signed');
  });

  test('by e-ID: reports a refusal once, and the next attempt signs', async () => {
    const refusing = { ...anna, name: 'Ari', signatureType: 'Qualified', ssn: '0103901179' };
    const place = await api.process({ ...refusing, phoneNumber: '0100011' });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('start', { ...yes, channel: 'Sim', phone: '0100011' });
    api.answer();
    const refused = await browser.open(linkOf(place));
    expect(refused.body).toMatch(/role="alert"[^>]*>The electronic ID did not confirm/);
    expect(refused.acts).toContain('start');
    const again = await browser.open(linkOf(place));
    expect(again.body).not.toContain('role="alert"');
    const unknown = await browser.send('start', { ...yes, channel: 'Sim', phone: 'nobody' });
    expect(unknown.body).toContain('role="alert"');
    expect(await statusOf(place)).not.toMatchObject({ state: 'Signed' });
  });

  test('by foreign e-ID: shows a code to scan, and can be cancelled', async () => {
    const place = await api.process(odon);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const waiting = await browser.send('foreign', { ...yes, scheme: 'eid-se' });
    expect(waiting.body).toContain('src="data:image/svg+xml;base64,');
    expect((await browser.send('cancel')).acts).toContain('start');
    await browser.send('foreign', { ...yes, scheme: 'eid-se' });
    api.answer();
    expect((await browser.open(linkOf(place))).title).toBe('You have signed');
  });

  test('shows a login before the document if the sender requires one', async () => {
    const place = await api.process(odon, { requiresAuth: true, pdfFileName: 'Secret.pdf' });
    const browser = pageBrowser(api);
    const gate = await browser.open(linkOf(place));
    expect([gate.acts, gate.body.includes('Secret')]).toEqual([['login'], false]);
    const other = await browser.send('login', { channel: 'Sim', phone: '7777777' });
    expect(other.status).toBe(403);
    await browser.send('login', { channel: 'Sim', phone: '6666666' });
    api.answer();
    const inside = await browser.open(linkOf(place));
    expect(inside.acts).toEqual(['read', 'download', 'text', 'start', 'foreign']);
    expect(inside.body).toContain('Secret.pdf');
    // The same browser at another link: access opened here does not affect it.
    const open = await browser.open(linkOf(await api.process(anna)));
    expect(open.acts).toContain('sign');
    const closed = await api.process(odon, { requiresAuth: true });
    expect((await browser.open(linkOf(closed))).acts).toEqual(['login']);
    // Another browser is not logged in.
    expect((await pageBrowser(api).open(linkOf(place))).acts).toEqual(['login']);
  });

  test("a sequence: shows document after document, after the sender's passcode", async () => {
    const made = await api.sequence([{ ...anna, passcode: 'long enough' }]);
    const link = `/s/${made.sequenceKey}/${made.personKeys[0]}`;
    const browser = pageBrowser(api);
    const gate = await browser.open(link);
    expect(gate.body).toContain('asks you to sign 2 documents');
    expect(gate.acts).toEqual(['passcode']);
    const wrong = await browser.send('passcode', { passcode: 'guess' });
    expect([wrong.sent, wrong.body.includes('The passcode is incorrect.')]).toEqual([303, true]);
    const first = await browser.send('passcode', { passcode: 'long enough' });
    expect(first.body).toContain('Document 1 of 2');
    const second = await browser.send('sign', yes);
    expect(second.body).toContain('Document 2 of 2');
    expect((await browser.send('sign', yes)).title).toBe('You have signed');
  });

  test('an ordered sequence: a person whose turn has not come waits, and signs afterwards', async () => {
    const made = await api.sequence([anna, { ...bo, signatureType: 'ClickToSign' }], {
      signInOrder: true,
    });
    const [first, second] = made.personKeys.map((key) => `/s/${made.sequenceKey}/${key}`);
    const [one, two] = [pageBrowser(api), pageBrowser(api)];
    expect((await two.open(second ?? '')).body).toContain('It is not your turn yet.');
    await one.open(first ?? '');
    await one.send('sign', yes);
    expect((await two.open(second ?? '')).body).toContain('It is not your turn yet.');
    expect((await one.send('sign', yes)).title).toBe('You have signed');
    expect((await two.open(second ?? '')).acts).toContain('sign');
    await two.send('sign', yes);
    expect((await two.send('sign', yes)).title).toBe('You have signed');
  });

  test('declining requires a reason, and ends the process for everyone', async () => {
    const { key: flowKey } = await api.toolkit.flows.create({
      ...{ name: 'Offers', type: 'DropAndSign', settings: { mayDecline: true } },
    });
    const place = await api.process([anna, bo], { flowKey });
    const browser = pageBrowser(api);
    expect((await browser.open(linkOf(place))).acts).toContain('decline');
    const unsaid = await browser.send('decline', { reason: ' ' });
    expect([unsaid.sent, unsaid.body.includes(pageWords('En').errorReason)]).toEqual([303, true]);
    const declined = await browser.send('decline', { reason: 'Wrong <amount>' });
    expect(declined.body).toContain('You have declined to sign.');
    const [, other] = place.signeeKeys;
    const blocked = await pageBrowser(api).open(`/s/${place.processKey}/${other}`);
    expect(blocked.body).toContain('this document can no longer be signed');
    expect(blocked.acts).toEqual([]);
  });

  test("shows why a document cannot be signed: not the signee's turn, suspended, cancelled, purged, unknown", async () => {
    const ordered = await api.process([anna, bo], { signInOrder: true });
    const second = await pageBrowser(api).open(`/s/${ordered.processKey}/${ordered.signeeKeys[1]}`);
    expect(second.body).toContain('It is not your turn yet.');
    expect(second.acts).toEqual(['read', 'download', 'text']);
    const change = { key: ordered.processKey, by: 'owner@example.test' };
    await api.toolkit.processes.block(change);
    const blocked = await pageBrowser(api).open(linkOf(ordered));
    expect(blocked.body).toContain('The sender has suspended this document.');
    expect(blocked.acts).toEqual([]);
    await api.toolkit.processes.unblock(change);
    expect((await pageBrowser(api).open(linkOf(ordered))).acts).toContain('sign');
    await api.toolkit.processes.cancel({ key: ordered.processKey, by: 'owner@example.test' });
    const canceled = await pageBrowser(api).open(linkOf(ordered));
    expect(canceled.body).toContain('The sender has withdrawn the request.');
    expect(canceled.acts).toEqual([]);
    await api.toolkit.processes.purge({ key: ordered.processKey, by: 'owner@example.test' });
    expect((await pageBrowser(api).open(linkOf(ordered))).body).not.toContain('Samningur');
    const { processKey } = ordered;
    for (const url of ['/s/spx/siy', `/s/${processKey}/siy`, '/s/pg1/x', '/s/%00/x']) {
      const unknown = await pageBrowser(api).open(url);
      expect([unknown.status, unknown.title]).toEqual([404, 'Request for a signature']);
    }
  });
});

describe('protections of the signing page', () => {
  test('a form of another site has no effect', async () => {
    const place = await api.process(anna);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const forged = await browser.send('sign', { ...yes, form: '0'.repeat(32) });
    expect([forged.status, forged.body.includes('not sent from this page')]).toEqual([403, true]);
    browser.cookies.clear();
    expect((await browser.send('sign', yes)).status).toBe(403);
    expect((await statusOf(place))?.state).not.toBe('Signed');
  });

  test('the link of one signee signs for no one else', async () => {
    const place = await api.process([anna, { ...anna, name: 'Eva', email: 'eva@example.test' }]);
    const other = await api.process(anna);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('sign', { ...yes, document: other.processKey });
    expect((await statusOf(other))?.state).not.toBe('Signed');
    const { signees } = await api.toolkit.processes.show({ key: place.processKey });
    expect(signees.map(({ state }) => state)).not.toContain('Signed');
  });

  test('texts of people and companies are escaped', async () => {
    const hostile = '"><script>alert(1)</script>&';
    const options = { pdfFileName: "a'&amp;.pdf", user: 'o&w@example.test' };
    const place = await api.process({ ...anna, name: hostile }, options);
    const { body, headers } = await pageBrowser(api).open(`${linkOf(place)}?lng=<x>`);
    expect(body).not.toContain('<script>');
    expect(body).toContain('a&#39;&amp;amp;.pdf');
    expect(body).toContain('o&amp;w@example.test');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('an embedding page can hide what it shows itself', async () => {
    const place = await api.process(anna, { user: 'owner@example.test' });
    const query = '?iframe=true&showEndScreen=false&hideSignDocumentHeaderText=true';
    const browser = pageBrowser(api);
    const open = await browser.open(`${linkOf(place)}${query}`);
    expect(open.body).not.toContain('owner@example.test');
    expect(open.acts).toEqual(['read', 'download', 'text', 'sign']);
    const signed = await browser.send('sign', yes);
    expect([signed.title, signed.acts]).toEqual(['You have signed', []]);
    const whole = await pageBrowser(api).open(linkOf(place));
    expect(whole.acts).toEqual(['read', 'download', 'text']);
  });

  test('only origins registered by the company may frame the page', async () => {
    const place = await api.process(anna);
    const closed = await pageBrowser(api).open(linkOf(place));
    expect(closed.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    await api.toolkit.addOrigins(['https://shop.example']);
    const open = await pageBrowser(api).open(`${linkOf(place)}?iframe=true`);
    expect(open.headers['content-security-policy']).toContain(
      'frame-ancestors https://shop.example',
    );
    expect(open.headers['x-frame-options']).toBeUndefined();
    const browser = pageBrowser(api);
    await browser.open(`${linkOf(place)}?iframe=true`);
    const signed = await browser.send('sign', yes);
    expect(signed.body).toContain('class="framed"');
    const [, data = ''] = /data-event="([^"]*)"/.exec(signed.body) ?? [];
    const { processKey, signeeKey } = place;
    const signedDocument = { digest: expect.any(String), fileName: 'Samningur.pdf' };
    expect(JSON.parse(data.replaceAll('&quot;', '"'))).toEqual([
      { type: 'document_signed', processKey, signeeKey, signedDocument },
      { type: 'signing_completed', processKey, signeeKey },
    ]);
    await api.toolkit.removeOrigins(['https://shop.example']);
  });

  test('style and script are served with the page, and no other assets', async () => {
    const place = await api.process(anna);
    const { body } = await pageBrowser(api).open(linkOf(place));
    const [, style = ''] = /href="(\/s\/assets\/[^"]+)"/.exec(body) ?? [];
    const found = await pageBrowser(api).open(style);
    expect([found.status, found.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(found.headers['cache-control']).toContain('max-age=31536000');
    expect((await pageBrowser(api).open('/s/assets/page.js')).status).toBe(200);
    expect((await pageBrowser(api).open('/s/assets/toString')).status).toBe(404);
  });

  test('cookies are limited to this host, and scripts cannot read them', async () => {
    const place = await api.process(anna);
    const { headers } = await pageBrowser(api).open(linkOf(place));
    const [cookie] = [headers['set-cookie']].flat();
    expect(cookie).toMatch(/^innsigli-form=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax$/);
  });
});

describe('languages of the signing page', () => {
  test.each(languages)('%s: every text of the page is translated', async (language) => {
    const place = await api.process({ ...anna, language });
    const { body } = await pageBrowser(api).open(linkOf(place));
    // The reader fills in its own placeholder: the server does not know the number of pages.
    expect(body.replace(/data-reader-page="[^"]*"/, '')).not.toContain('{{');
    expect(body).not.toContain('undefined');
    if (language !== 'En') expect(body).not.toContain('Request for a signature');
  });

  test('can be chosen by the reader', async () => {
    const place = await api.process(anna);
    const { title } = await pageBrowser(api).open(`${linkOf(place)}?lng=is`);
    expect(title).toBe('Beiðni um undirritun');
  });
});

describe('a rejected act on the signing page', () => {
  const words = pageWords('En');
  const cases = [
    ['a signature without consent', bo, 'code', {}, 'confirm', { code: '1' }],
    ['a wrong code', bo, 'code', {}, 'confirm', { code: '000000', agree: 'yes' }],
    ['an empty reason', anna, undefined, {}, 'decline', { reason: '' }],
    ['an invalid drawing', anna, undefined, {}, 'sign', { ...yes, look: 'drawn', drawing: 'x' }],
  ] as const;
  test.each(cases)('%s: is reported once at the URL of the page', async (...row) => {
    const [, signee, first, fields, act, more] = row;
    const settings = { mayDecline: true } as const;
    const request = { name: 'Offers', type: 'DropAndSign', settings } as const;
    const { key: flowKey } = await api.toolkit.flows.create(request);
    const place = await api.process(signee, act === 'decline' ? { flowKey } : {});
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    if (first !== undefined) await browser.send(first, fields);
    const page = await browser.send(act, more);
    expect([page.sent, page.status]).toEqual([303, 200]);
    expect(page.body).toMatch(/role="alert"/);
    // The actions are still available, and the page shows no message when it is requested again.
    expect(page.acts).toContain(act);
    const again = await browser.open(linkOf(place));
    expect(again.body).not.toMatch(/role="alert"/);
    expect(again.acts).toContain(act);
    expect(again.body).not.toContain(words.errorUnexpected);
  });
});
