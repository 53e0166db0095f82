import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { type PageBrowser, pageBrowser } from './support/page-browser.ts';

const words = pageWords('En');
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let api: IdentityApi;
let login = '';
beforeAll(async () => {
  api = await openIdentityApi();
  const settings = { initiationMethod: 'Customer' } as const;
  const request = { name: 'Pages', type: 'Auth', language: 'En', settings } as const;
  login = (await api.toolkit.flows.create(request)).key;
  await api.toolkit.addOrigins(['https://acme.example']);
}, 60_000);
beforeEach(() => api.pass(3_600_000));
afterAll(() => api.close());

const ask = (method: 'GET' | 'POST' | 'DELETE' | 'HEAD', url: string, headers = {}) =>
  api.app.inject({ method, url, headers });

describe('a rejected request below the URLs of pages', () => {
  test.each([
    ['GET', '/s/assets/none.css', 404, words.unknown],
    ['GET', '/s/reader/none.js', 404, words.unknown],
    ['GET', '/s/logos/none', 404, words.unknown],
    ['GET', '/s/a/b/c/d', 404, words.unknown],
    ['POST', '/f/flow', 405, words.errorForm],
    ['DELETE', '/s/flow', 405, words.errorForm],
  ] as const)('%s %s: a page for people, JSON for programs', async (method, url, status, text) => {
    const page = await ask(method, url, { accept: browserAccept });
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(page.body).toContain(text);
    expect(String(page.headers['vary'])).toContain('accept');
    const refusing = ['text/html;q=0, application/json', 'text/html ; Q=0.000', 'x-text/html'];
    const programs = [
      ...[{ accept: 'application/json' }, { accept: 'text/css,*/*;q=0.1' }, {}],
      ...refusing.map((accept) => ({ accept })),
    ];
    for (const headers of programs) {
      const json = await ask(method, url, headers);
      expect(json.statusCode).toBe(status);
      expect(json.json()).toHaveProperty('errorCode');
      expect(String(json.headers['vary'])).toContain('accept');
    }
    if (status === 405) expect(page.headers['allow']).toContain('GET');
  });

  test('to the API is answered with JSON, whoever asks', async () => {
    const reply = await ask('GET', '/api/none', { accept: browserAccept });
    expect([reply.statusCode, reply.json().errorCode]).toEqual([404, 'route.not_found']);
  });
});

describe('HEAD has no side effect', () => {
  const cookieOf = (browser: ReturnType<typeof pageBrowser>) => ({
    cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
  });

  test('on a login page: ends no login and issues no result', async () => {
    const url = `/s/${login}?returnUrl=https%3A%2F%2Facme.example%2Fin&state=x`;
    const browser = pageBrowser(api);
    await browser.open(url);
    await browser.send('login', { channel: 'App', ssn: einar.ssn });
    api.answer();
    for (let count = 0; count < 2; count += 1) {
      const head = await ask('HEAD', url, cookieOf(browser));
      expect([head.statusCode, head.headers['location'], head.headers['set-cookie']]).toEqual([
        ...[200, undefined, undefined],
      ]);
    }
    const end = await browser.open(url);
    expect(end.location).toMatch(/^https:\/\/acme\.example\/in\?result=/);
  });

  test('on a signing page: opens no link, polls no e-ID and uses up no message', async () => {
    const sends = { signatureType: 'Qualified', communicationDeliveryType: 'None' };
    const signee = { ...einar, ...sends, language: 'En' };
    const place = await api.process(signee);
    const url = `/s/${place.processKey}/${place.signeeKey}`;
    await ask('HEAD', url);
    const signeeNow = async () =>
      (await api.toolkit.processes.show({ key: place.processKey })).signees[0];
    expect((await signeeNow())?.openedAtMs).toBeUndefined();
    const browser = pageBrowser(api);
    await browser.open(url);
    expect((await signeeNow())?.openedAtMs).toBeDefined();
    await browser.send('start', { channel: 'Sim', agree: 'yes' });
    api.answer();
    const head = await ask('HEAD', url, cookieOf(browser));
    expect([head.statusCode, head.headers['set-cookie']]).toEqual([200, undefined]);
    expect((await signeeNow())?.state).not.toBe('Signed');
    expect((await browser.open(url)).title).toBe(words.signedHeading);
  });
});

describe('links in several windows of one browser', () => {
  const odon = { ...einar, email: 'o@example.test', communicationDeliveryType: 'Email' } as const;
  const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
  const byClick = { ...odon, signatureType: 'ClickToSign', language: 'En' };
  const byEid = { ...odon, signatureType: 'Qualified', language: 'En' };
  const start = { agree: 'yes', channel: 'Sim' };
  const windowBeside = (browser: PageBrowser) => {
    const other = pageBrowser(api);
    const take = (from: PageBrowser, to: PageBrowser) => {
      to.cookies.clear();
      for (const [name, value] of from.cookies) to.cookies.set(name, value);
    };
    take(browser, other);
    return { other, share: () => take(browser, other), back: () => take(other, browser) };
  };

  test('a rejected act at one link does not end a pending e-ID signature at another', async () => {
    const browser = pageBrowser(api);
    const [waits, other] = [await api.process(byEid), await api.process(byClick)];
    await browser.open(linkOf(waits));
    expect((await browser.send('start', start)).acts).toEqual(['cancel']);
    await browser.open(linkOf(other));
    expect((await browser.send('sign')).body).toContain(words.errorAgree);
    expect((await browser.open(linkOf(other))).body).not.toContain(words.errorAgree);
    api.answer();
    const signed = await browser.open(linkOf(waits));
    expect(signed.title).toBe(words.signedHeading);
    expect(signed.body).not.toContain(words.errorAgree);
  });

  test('a rejected act in a second window of the same link does not end it either', async () => {
    const browser = pageBrowser(api);
    const place = await api.process(byEid);
    await browser.open(linkOf(place));
    const { other, share, back } = windowBeside(browser);
    await other.open(linkOf(place));
    await browser.send('start', start);
    share();
    expect((await other.send('start', { channel: 'Sim' })).acts).toEqual(['cancel']);
    back();
    api.answer();
    const signed = await browser.open(linkOf(place));
    expect(signed.title).toBe(words.signedHeading);
    expect(signed.body).not.toContain(words.errorAgree);
  });

  test('the reason of a rejection is shown at its own link', async () => {
    const browser = pageBrowser(api);
    const [own, other] = [await api.process(byClick), await api.process(byClick)];
    const { body } = await browser.open(linkOf(own));
    const [, token = ''] = /name="form" value="(\w+)"/.exec(body) ?? [];
    const form = { form: token, act: 'sign', document: own.processKey };
    const refused = await api.app.inject({
      ...{ method: 'POST', url: linkOf(own), payload: new URLSearchParams(form).toString() },
      headers: {
        cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(refused.statusCode).toBe(303);
    for (const { name, value } of refused.cookies) browser.cookies.set(name, value);
    expect((await browser.open(linkOf(other))).body).not.toContain(words.errorAgree);
    expect((await browser.open(linkOf(own))).body).toContain(words.errorAgree);
    expect((await browser.open(linkOf(own))).body).not.toContain(words.errorAgree);
  });
});
