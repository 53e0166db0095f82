import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { pageBrowser } from './support/page-browser.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const odon = {
  ...{ ...einar, email: 'o@example.test', signatureType: 'ClickToSign' },
  ...{ communicationDeliveryType: 'Email', language: 'En' },
};
/** A test person who never responds. */
const silent = { ...odon, name: 'Silent', ssn: '0103901419', phoneNumber: '0100014' };
const unknown = { ...odon, ssn: undefined, phoneNumber: undefined };
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
const codeIn = (body: string) => /<img class="qr"[^>]* src="([^"]+)"/.exec(body)?.[1];
const stateIn = (body: string) => / data-state="(\w+)"/.exec(body)?.[1];
const secondsIn = (body: string) => Number(/ data-left="(\d+)"/.exec(body)?.[1]);

describe('logins on the signing page by a scanned code', () => {
  test.each(['device-link', 'eid-se'])('%s: opens a single document', async (channel) => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    const gate = await browser.open(linkOf(place));
    expect(gate.body).toContain(`value="${channel}"`);
    const waiting = await browser.send('login', { channel });
    expect(codeIn(waiting.body)).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(waiting.acts).toEqual(['cancel']);
    expect(waiting.body).toContain('http-equiv="refresh" content="2"');
    expect(secondsIn(waiting.body)).toBeGreaterThan(170);
    api.answer();
    const open = await browser.open(linkOf(place));
    expect(open.acts).toContain('sign');
    expect((await browser.send('sign', { agree: 'yes' })).title).toBe('You have signed');
  });

  test.each(['device-link', 'eid-se'])('%s: opens the documents of a sequence', async (channel) => {
    const made = await api.sequence([odon], { requiresAuth: true });
    const browser = pageBrowser(api);
    const link = `/s/${made.sequenceKey}/${made.personKeys[0]}`;
    await browser.open(link);
    expect(codeIn((await browser.send('login', { channel })).body)).toBeDefined();
    api.answer();
    expect((await browser.open(link)).acts).toContain('sign');
  });

  test('the code is refreshed, and the rest of the page stays unchanged', async () => {
    const place = await api.process(silent, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const first = await browser.send('login', { channel: 'eid-se' });
    api.pass(1_000);
    const next = await browser.open(linkOf(place));
    expect(codeIn(next.body)).not.toBe(codeIn(first.body));
    expect(stateIn(next.body)).toBe(stateIn(first.body));
    expect(secondsIn(next.body)).toBeLessThan(secondsIn(first.body));
  });

  test('the app can be opened on the same device, by https links only', async () => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const waiting = await browser.send('login', { channel: 'device-link' });
    expect(waiting.body).toMatch(/href="https:\/\/[^"]+Web2App[^"]+"[^>]*>\s*Open the app/);
  });

  test('after Cancel the page offers a login again, and a late response does not log in', async () => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('login', { channel: 'eid-se' });
    expect((await browser.send('cancel')).acts).toEqual(['login']);
    api.answer();
    expect((await browser.open(linkOf(place))).acts).toEqual(['login']);
  });

  test('after the time limit the page says so and offers another login', async () => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('login', { channel: 'device-link' });
    api.pass(400_000);
    const late = await browser.open(linkOf(place));
    expect(late.body).toContain('role="alert"');
    expect(late.acts).toEqual(['login']);
  });

  test('a signee without a known number identifies to the provider', async () => {
    const place = await api.process(unknown, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const waiting = await browser.send('login', { channel: 'device-link' });
    expect(codeIn(waiting.body)).toBeDefined();
    expect(waiting.acts).toEqual(['cancel']);
  });
});

describe('the number required by an e-ID', () => {
  const qualified = { ...odon, signatureType: 'Qualified' };
  const { eidKnown, errorNumber } = pageWords('En');
  const fieldsIn = (body: string) =>
    [...body.matchAll(/<input (type="(?:tel|text)"[^>]*?) id="(\w+)"/g)].map(([, kind, id]) => ({
      [String(id)]: kind,
    }));
  const fields = [
    { phone: 'type="tel" autocomplete="tel"' },
    { ssn: 'type="text" inputmode="numeric" autocomplete="off"' },
  ];

  test('each method has a field with a label', async () => {
    const gate = await pageBrowser(api).open(
      linkOf(await api.process(unknown, { requiresAuth: true })),
    );
    expect(fieldsIn(gate.body)).toEqual(fields);
    expect(gate.body).toContain('<label for="phone">Phone number</label>');
    expect(gate.body).toContain('<label for="ssn">National number</label>');
  });

  test.each([
    ['Sim', { ssn: undefined }, ['ssn'], []],
    ['App', { phoneNumber: undefined }, ['phone'], ['phone']],
    ['Sim', {}, [], []],
  ])('%s, already known: is neither asked for nor shown', async (channel, more, asked, later) => {
    const place = await api.process({ ...qualified, ...more }, { requiresAuth: true });
    const browser = pageBrowser(api);
    const gate = await browser.open(linkOf(place));
    expect(fieldsIn(gate.body).flatMap(Object.keys)).toEqual(asked);
    expect(gate.body).toContain(eidKnown);
    expect(gate.body).toMatch(new RegExp(`value="${channel}" checked`));
    expect(gate.body).not.toMatch(/6666666|6000101994/);
    expect((await browser.send('login', { channel })).acts).toEqual(['cancel']);
    api.answer();
    // A number known from the login is not asked for again either.
    const inside = await browser.open(linkOf(place));
    expect(fieldsIn(inside.body).flatMap(Object.keys)).toEqual(later);
    const waiting = await browser.send('start', { channel, agree: 'yes' });
    expect(waiting.acts).toEqual(['cancel']);
    api.answer();
    expect((await browser.open(linkOf(place))).title).toBe('You have signed');
  });

  test('is not asked for in a sequence either', async () => {
    const made = await api.sequence([odon], { requiresAuth: true });
    const browser = pageBrowser(api);
    const link = `/s/${made.sequenceKey}/${made.personKeys[0]}`;
    expect((await browser.open(link)).body).toContain(eidKnown);
    expect((await browser.send('login', { channel: 'App' })).acts).toEqual(['cancel']);
    api.answer();
    expect((await browser.open(link)).acts).toContain('sign');
  });

  test('an invalid one stays in its field, with the chosen method', async () => {
    const place = await api.process(unknown, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const wrong = await browser.send('login', { channel: 'App', ssn: '12"<', phone: '6666666' });
    expect(wrong.body).toContain(errorNumber);
    expect(wrong.body).toContain('value="12&quot;&lt;"');
    expect(wrong.body).toMatch(/value="App" checked/);
    expect((await browser.send('login', { channel: 'App', phone: '6666666' })).status).toBe(422);
  });

  test('entered on a form is not asked for on the signing page', async () => {
    const pdf = readFileSync(
      new URL('../../fixtures/pdf/form-with-text-field.pdf', import.meta.url),
    );
    const settings = { initiationMethod: 'Customer', signatureType: 'Qualified' } as const;
    const request = { name: 'Paper', type: 'FillAndSign', language: 'En', settings } as const;
    const { key } = await api.toolkit.flows.create(request, pdf);
    const browser = pageBrowser(api);
    await browser.open(`/s/${key}`);
    const page = await browser.send('start', { name0: einar.name, phone0: '6666666' });
    expect(page.body).toContain(eidKnown);
    expect(fieldsIn(page.body).flatMap(Object.keys)).toEqual(['ssn']);
    expect(page.body).not.toContain('6666666');
    const waiting = await browser.send('start', { channel: 'Sim', agree: 'yes' });
    expect(waiting.acts).toEqual(['cancel']);
    api.answer();
    const [made] = await api.toolkit.processes.list({});
    const link = `/s/${made?.key}/${made?.signees[0]?.key}`;
    expect((await browser.open(link)).title).toBe('You have signed');
    // Another browser gains nothing from the URL: the prompt goes to the phone.
    const other = await pageBrowser(api).open(`${link}?phone=6666666`);
    expect(other.body).not.toContain('6666666');
  });
});
