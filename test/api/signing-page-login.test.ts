import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
/** A test person who never answers. */
const silent = { ...odon, name: 'Silent', ssn: '0103901419', phoneNumber: '0100014' };
const unknown = { ...odon, ssn: undefined, phoneNumber: undefined };
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
const codeIn = (body: string) => /<img class="qr"[^>]* src="([^"]+)"/.exec(body)?.[1];
const stateIn = (body: string) => / data-state="(\w+)"/.exec(body)?.[1];
const secondsIn = (body: string) => Number(/ data-left="(\d+)"/.exec(body)?.[1]);

describe('logins on the signing page by a code that is scanned', () => {
  test.each(['device-link', 'eid-se'])('%s: before one document', async (channel) => {
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

  test.each(['device-link', 'eid-se'])(
    '%s: before the documents of a sequence',
    async (channel) => {
      const made = await api.sequence([odon], { requiresAuth: true });
      const browser = pageBrowser(api);
      const link = `/s/${made.sequenceKey}/${made.personKeys[0]}`;
      await browser.open(link);
      expect(codeIn((await browser.send('login', { channel })).body)).toBeDefined();
      api.answer();
      expect((await browser.open(link)).acts).toContain('sign');
    },
  );

  test('the code is another one after a while, the rest of the page stays as it is', async () => {
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

  test('the app may be opened on the same device, at addresses of the web alone', async () => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const waiting = await browser.send('login', { channel: 'device-link' });
    expect(waiting.body).toMatch(/href="https:\/\/[^"]+Web2App[^"]+"[^>]*>\s*Open the app/);
  });

  test('cancelled: the way back, and no login', async () => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('login', { channel: 'eid-se' });
    expect((await browser.send('cancel')).acts).toEqual(['login']);
    api.answer();
    expect((await browser.open(linkOf(place))).acts).toEqual(['login']);
  });

  test('too late: the page says so once, and offers another login', async () => {
    const place = await api.process(odon, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('login', { channel: 'device-link' });
    api.pass(400_000);
    const late = await browser.open(linkOf(place));
    expect(late.body).toContain('role="alert"');
    expect(late.acts).toEqual(['login']);
  });

  test('a signee of whom no number is known tells it to the provider', async () => {
    const place = await api.process(unknown, { requiresAuth: true });
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const waiting = await browser.send('login', { channel: 'device-link' });
    expect(codeIn(waiting.body)).toBeDefined();
    expect(waiting.acts).toEqual(['cancel']);
  });
});
