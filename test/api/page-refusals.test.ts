import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { einar, type IdentityApi, openIdentityApi } from './support/identity.ts';
import { pageBrowser } from './support/page-browser.ts';

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

describe('a refusal below the addresses of pages', () => {
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

  test('of the interface is JSON whoever asks', async () => {
    const reply = await ask('GET', '/api/none', { accept: browserAccept });
    expect([reply.statusCode, reply.json().errorCode]).toEqual([404, 'route.not_found']);
  });
});

describe('HEAD has no effect', () => {
  const cookieOf = (browser: ReturnType<typeof pageBrowser>) => ({
    cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
  });

  test('at a login page: it ends no login, and issues no result', async () => {
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

  test('at a signing page: no link was opened, no e-ID was asked, no message is told', async () => {
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
