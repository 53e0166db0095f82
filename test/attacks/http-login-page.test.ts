import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { type IdentityApi, openIdentityApi } from '../api/support/identity.ts';
import { pageBrowser } from '../api/support/page-browser.ts';

// The page that logs persons in for other sites: no one is redirected elsewhere, and a result is
// issued once, to the company of the flow, for the browser that started the login.

const words = pageWords('En');
const site = 'https://acme.example';
const hostileName = '<script>alert(1)</script>"\'&';

let api: IdentityApi;
let flowKey = '';
let otherFlow = '';
beforeAll(async () => {
  api = await openIdentityApi({}, {});
  const settings = { initiationMethod: 'Customer' } as const;
  const request = { type: 'Auth', language: 'En', settings } as const;
  flowKey = (await api.toolkit.flows.create({ ...request, name: 'My pages' })).key;
  otherFlow = (await api.toolkit.flows.create({ ...request, name: hostileName })).key;
  await api.toolkit.addOrigins([site, 'http://localhost:3000', 'https://acme.example:8443']);
}, 60_000);
afterAll(() => api.close());
beforeEach(() => api.pass(3_600_000));

const pathOf = (query: Record<string, string>, key = flowKey) =>
  `/s/${key}?${new URLSearchParams(query)}`;
const back = { returnUrl: `${site}/in`, state: 's1' };
const odon = { channel: 'App', ssn: '6000101994' };

async function logIn(query: Record<string, string> = back, key = flowKey) {
  const browser = pageBrowser(api);
  await browser.open(pathOf(query, key));
  await browser.send('login', odon);
  api.answer();
  const { location = 'none:' } = await browser.open(pathOf(query, key));
  return { browser, location, code: new URL(location).searchParams.get('result') ?? '' };
}

const take = (code: string, more = {}, authorization = api.basic) =>
  api.post('/api/auth/result', { code, flowKey, ...more }, { authorization });
const verdict = async (reply: ReturnType<typeof take>) => {
  const { status, body } = await reply;
  return [status, body.errorCode ?? 'taken'];
};
const unknown = [401, 'authentication.token.invalid'];
const elsewhere = [403, 'authentication.token.scope.invalid'];

describe('a returnUrl', () => {
  test.each([
    'https://evil.example/in',
    'http://acme.example/in',
    'https://acme.example.evil.example/in',
    'https://acme.example:444/in',
    'https://acme.example:443/in',
    'https://sub.acme.example/in',
    'https://acme.examplé/in',
    'https://acme.example@evil.example/in',
    'https://user@acme.example/in',
    'https://user:secret@acme.example/in',
    'https://acme.example\\@evil.example/in',
    'https://acme.example\\in',
    'https:\\\\acme.example/in',
    'https:/acme.example/in',
    'https:acme.example/in',
    'HTTPS://ACME.EXAMPLE/in',
    '//acme.example/in',
    '//evil.example',
    '/\\evil.example',
    '/in',
    '',
    ' https://acme.example/in',
    'https://acme.example/in#part',
    'https://acme.example./in',
    'https://acme.example%2eevil.example/in',
    'https://acme.example%00.evil.example/in',
    'https://acme。example/in',
    'javascript:alert(1)//https://acme.example',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://acme.example/in',
    'view-source:https://acme.example/in',
    'http://localhost:3001/in',
    'http://localhost:3000@evil.example/',
    'http://127.0.0.1:3000/in',
    'null',
    `https://acme.example/${'a'.repeat(2000)}`,
    'https://acme.example/in?result=mine',
    'https://acme.example/in?a=b&state=mine',
    'https://acme.example/in?error=mine',
    'https://acme.example/in?%72esult=mine',
  ])('%j is rejected on a page without form or link', async (returnUrl) => {
    const browser = pageBrowser(api);
    const page = await browser.open(pathOf({ returnUrl, state: 's1' }));
    expect([page.status, page.location, page.acts]).toEqual([400, undefined, []]);
    expect(page.body).not.toContain('<a ');
    expect(page.body).toContain('has not registered');
  });

  test.each([
    'https://acme.example/in\n',
    'https://acme.example/\tin',
    'ht\ntps://evil.example/in',
    'https://acme.example/in\r\nset-cookie: a=b',
  ])('%j with control characters is rejected and sets no header', async (returnUrl) => {
    const page = await pageBrowser(api).open(pathOf({ returnUrl }));
    expect([page.status, page.location, page.acts]).toEqual([400, undefined, []]);
    expect(page.headers).not.toHaveProperty('set-cookie');
  });

  test('the form of a valid link has no effect when sent to a foreign one', async () => {
    const browser = pageBrowser(api);
    await browser.open(pathOf(back));
    const form = browser.cookies.get('innsigli-form') ?? '';
    const { statusCode, headers } = await api.app.inject({
      ...{ method: 'POST', url: pathOf({ returnUrl: 'https://evil.example' }) },
      headers: {
        cookie: `innsigli-form=${form}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ form, act: 'login', ...odon }).toString(),
    });
    expect([statusCode, headers['location']]).toEqual([400, undefined]);
    expect(String(headers['set-cookie'])).not.toContain('innsigli-login');
  });

  test.each([
    ['http://localhost:3000', 'http://localhost:3000/?result='],
    ['http://localhost:3000/in', 'http://localhost:3000/in?result='],
    ['https://acme.example:8443/in?a=b%20c+d', 'https://acme.example:8443/in?a=b%20c+d&result='],
    [`${site}?`, `${site}/?result=`],
  ])('%s is accepted as an address of the company', async (returnUrl, start) => {
    const { location } = await logIn({ returnUrl });
    expect(location.slice(0, start.length)).toBe(start);
  });

  test('no one is redirected to an origin that was removed meanwhile', async () => {
    await api.toolkit.addOrigins(['https://gone.example']);
    const query = { returnUrl: 'https://gone.example/in' };
    const browser = pageBrowser(api);
    await browser.open(pathOf(query));
    await browser.send('login', odon);
    await api.toolkit.removeOrigins(['https://gone.example']);
    api.answer();
    const { status, location } = await browser.open(pathOf(query));
    expect([status, location]).toEqual([400, undefined]);
  });
});

describe('the state parameter', () => {
  test.each(['a\r\nset-cookie: x=y', 'a\nb', 'a\0b', '\u00e9', 'a'.repeat(513)])(
    '%j is rejected',
    async (state) => {
      const { status, acts } = await pageBrowser(api).open(pathOf({ ...back, state }));
      expect([status, acts]).toEqual([400, []]);
    },
  );

  test.each([
    'a&result=mine&error=access_denied',
    'a#b',
    '"><script>alert(1)</script>',
    '%0d%0aset-cookie: x=y',
    "'; --",
    'a'.repeat(512),
    ' ',
    '',
  ])('%j is returned unchanged', async (state) => {
    const { location, code } = await logIn({ ...back, state });
    const { searchParams, origin, hash } = new URL(location);
    expect(searchParams.getAll('state')).toEqual([state]);
    expect(searchParams.getAll('result')).toEqual([code]);
    expect([origin, hash, searchParams.has('error')]).toEqual([site, '', false]);
    const { body } = await pageBrowser(api).open(pathOf({ ...back, state }));
    expect(body).not.toContain('<script>alert');
  });

  test('is rejected if it is given twice', async () => {
    const { status, location } = await pageBrowser(api).open(`${pathOf(back)}&state=s2`);
    expect([status, location]).toEqual([400, undefined]);
  });
});

test('the name of a flow is escaped', async () => {
  const { body } = await pageBrowser(api).open(pathOf(back, otherFlow));
  expect(body).toContain('&lt;script&gt;alert(1)');
  expect(body).not.toContain('<script>alert');
});

describe('the result code of a login', () => {
  test('can be used once', async () => {
    const { code } = await logIn();
    expect(await verdict(take(code))).toEqual([200, 'taken']);
    expect(await verdict(take(code))).toEqual([409, 'authentication.result.used']);
  });

  test('is redeemed by only one of several concurrent requests', async () => {
    const { code } = await logIn();
    const all = await Promise.all(Array.from({ length: 8 }, () => verdict(take(code))));
    expect(all.filter(([status]) => status === 200)).toHaveLength(1);
    expect(all.filter(([status]) => status === 409)).toHaveLength(7);
  });

  test('can be redeemed only by the company of the flow', async () => {
    const { code } = await logIn();
    expect(await verdict(take(code, {}, api.foreign))).toEqual(unknown);
    expect(await verdict(take(code, {}, ''))).toEqual([401, 'authentication.credentials.invalid']);
    expect(await verdict(take(code))).toEqual([200, 'taken']);
  });

  test('can be redeemed only for its flow', async () => {
    const { code } = await logIn();
    expect(await verdict(take(code, { flowKey: otherFlow }))).toEqual(elsewhere);
    expect(await verdict(take(code, { flowKey: 'nothing' }))).toEqual(elsewhere);
    expect(await verdict(take(code))).toEqual([200, 'taken']);
  });

  test('expires after a minute', async () => {
    const { code } = await logIn();
    api.pass(59_000);
    const other = await logIn();
    expect(await verdict(take(code))).toEqual(unknown);
    expect(await verdict(take(other.code))).toEqual([200, 'taken']);
  });

  test.each([
    ['a truncated code', (code: string) => code.slice(0, -1)],
    ['an extended code', (code: string) => `${code}A`],
    ['a code with a different secret', (code: string) => `${code.slice(0, 45)}${'A'.repeat(42)}`],
    ['a code of a different login', (code: string) => `r${'A'.repeat(43)}${code.slice(44)}`],
    ['a padded code', (code: string) => `${code}==`],
    ['an empty code', () => ''],
    ['a very long code', () => 'A'.repeat(100_000)],
  ])('%s is rejected, and does not use it up', async (_, change) => {
    const { code } = await logIn();
    expect((await take(change(code))).status).toBeGreaterThanOrEqual(400);
    expect(await verdict(take(code))).toEqual([200, 'taken']);
  });

  test('is not used up by a lookup that is not allowed', async () => {
    const { code } = await logIn();
    const family = take(code, { lookupType: 'NameAddressFamily' });
    expect(await verdict(family)).toEqual([403, 'authentication.error.forbidden']);
    expect(await verdict(take(code))).toEqual([200, 'taken']);
  });

  test('contains no personal data, and neither does the redirect URL', async () => {
    const { location, code } = await logIn();
    expect(Buffer.from(code.slice(1), 'base64url')).toHaveLength(64);
    for (const text of ['6000101994', '6666666', 'Ödön', encodeURIComponent('Ödön')]) {
      expect(location).not.toContain(text);
    }
  });

  const codeVerifier = 'v'.repeat(43);
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  test.each([
    ['without the verifier of its challenge', { codeChallenge }, {}],
    ['with a different verifier', { codeChallenge }, { codeVerifier: 'w'.repeat(43) }],
    ['with the challenge as verifier', { codeChallenge }, { codeVerifier: codeChallenge }],
    ['with a verifier after the challenge was removed from the link', {}, { codeVerifier }],
  ])('%s: is rejected', async (_, challenge, verifier) => {
    const { code } = await logIn({ ...back, ...challenge });
    expect(await verdict(take(code, verifier))).toEqual(elsewhere);
  });

  test.each(['short', 'a'.repeat(44), '+'.repeat(43)])(
    'code challenge %s: the link is rejected',
    async (bad) => {
      const { status } = await pageBrowser(api).open(pathOf({ ...back, codeChallenge: bad }));
      expect(status).toBe(400);
    },
  );
});

describe('binding of a login to its browser', () => {
  test('a different browser that opens the link starts again', async () => {
    const browser = pageBrowser(api);
    await browser.open(pathOf(back));
    await browser.send('login', odon);
    api.answer();
    const other = await pageBrowser(api).open(pathOf(back));
    expect([other.location, other.acts]).toEqual([undefined, ['login']]);
    expect((await browser.open(pathOf(back))).location).toContain('result=');
  });

  test('a different state, returnUrl, challenge or flow gets no result of the login', async () => {
    const codeChallenge = 'c'.repeat(43);
    for (const [query, key] of [
      [{ ...back, state: 'of somebody else' }, flowKey],
      [{ ...back, returnUrl: 'http://localhost:3000/in' }, flowKey],
      [{ ...back, codeChallenge }, flowKey],
      [{}, flowKey],
      [back, otherFlow],
    ] as const) {
      const browser = pageBrowser(api);
      await browser.open(pathOf(back));
      await browser.send('login', odon);
      api.answer();
      const other = await browser.open(pathOf(query, key));
      expect([other.location, other.acts]).toEqual([undefined, ['login']]);
      expect((await browser.open(pathOf(back))).location).toContain('state=s1');
    }
  });

  test('a login of the API cannot be used on the page', async () => {
    const body = { flowKey, authenticationContextType: 'Sim', phoneNumber: '6666666' };
    const { authRequestId: token } = (await api.post('/api/auth/start', body)).body;
    api.answer();
    const browser = pageBrowser(api);
    await browser.open(pathOf(back));
    for (const kind of ['login', 'done']) {
      const kept = Buffer.from(JSON.stringify({ kind, flowKey, token })).toString('base64url');
      browser.cookies.set('innsigli-login', kept);
      const page = await browser.open(pathOf(back));
      expect([page.location, page.acts]).toEqual([undefined, ['login']]);
    }
  });

  test('an unfinished login gives no result, whatever the browser sends', async () => {
    const browser = pageBrowser(api);
    await browser.open(pathOf(back));
    await browser.send('login', { channel: 'Sim', phone: '0100014' });
    const kept = browser.cookies.get('innsigli-login') ?? '';
    const login = JSON.parse(Buffer.from(kept, 'base64url').toString());
    const done = Buffer.from(JSON.stringify({ ...login, kind: 'done' })).toString('base64url');
    browser.cookies.set('innsigli-login', done);
    expect((await browser.open(pathOf(back))).location).toBeUndefined();
  });

  test.each([
    'x',
    '{}',
    '{"kind":"login"}',
    '{"kind":"failed","flowKey":"FLOW","token":"__proto__"}',
    '{"kind":"failed","flowKey":"FLOW","token":"constructor"}',
    '{"kind":"login","flowKey":"FLOW","token":"x"}',
    '{"kind":"done","flowKey":"FLOW","token":"x"}',
    '[]',
    'null',
  ])('a foreign cookie is ignored: %s', async (text) => {
    const browser = pageBrowser(api);
    await browser.open(pathOf(back));
    const kept = Buffer.from(text.replace('FLOW', flowKey)).toString('base64url');
    browser.cookies.set('innsigli-login', kept);
    const page = await browser.open(pathOf(back));
    expect([page.status, page.location, page.acts]).toEqual([200, undefined, ['login']]);
  });

  test('a form of another site starts nothing', async () => {
    const browser = pageBrowser(api);
    await browser.open(pathOf(back));
    const form = browser.cookies.get('innsigli-form') ?? '';
    const send = (own: string, headers: Record<string, string>) =>
      api.app.inject({
        ...{ method: 'POST', url: pathOf(back) },
        headers: {
          cookie: `innsigli-form=${form}`,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        payload: new URLSearchParams({ form: own, act: 'login', ...odon }).toString(),
      });
    for (const reply of [
      await send('0'.repeat(32), {}),
      await send(form, { 'sec-fetch-site': 'cross-site' }),
    ]) {
      expect(reply.statusCode).toBe(403);
      expect(reply.body).toContain(words.errorForm);
      expect(String(reply.headers['set-cookie'])).not.toContain('innsigli-login');
    }
  });
});

describe('limits of logins on the page', () => {
  let bounded: IdentityApi;
  let link = '';
  const settings = { initiationMethod: 'Customer', loginsPerMinute: 6 } as const;
  beforeAll(async () => {
    bounded = await openIdentityApi(
      { trustProxy: ['127.0.0.1'] },
      { INNSIGLI_LOGINS_BOUND_TEST_NUMBERS: 'true', INNSIGLI_SIMULATED_PERSONS: 'any' },
    );
  }, 60_000);
  afterAll(() => bounded.close());
  beforeEach(async () => {
    const request = { name: 'My pages', type: 'Auth', language: 'En', settings } as const;
    link = `/s/${(await bounded.toolkit.flows.create(request)).key}`;
    bounded.pass(25 * 3_600_000);
  });
  const start = async (phone: string, ip: string) => {
    const form = 'a'.repeat(32);
    const { statusCode } = await bounded.app.inject({
      ...{ method: 'POST', url: link },
      headers: {
        ...{ cookie: `innsigli-form=${form}`, 'x-forwarded-for': ip },
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ form, act: 'login', channel: 'Sim', phone }).toString(),
    });
    return statusCode;
  };

  test('one number: one prompt at a time, from any address', async () => {
    // The number of a test person who never responds.
    expect(await start('0100014', '203.0.113.1')).toBe(303);
    expect(await start('0100014', '203.0.113.1')).toBe(409);
    expect(await start('010-0014', '198.51.100.7')).toBe(409);
    expect(await start('5812346', '198.51.100.7')).toBe(303);
  });

  test('one client: half of the limit of the flow', async () => {
    const all = [];
    for (let at = 0; at < 5; at += 1) all.push(await start(`581234${at}`, '203.0.113.2'));
    expect(all).toEqual([303, 303, 303, 409, 409]);
    expect(await start('5812349', '198.51.100.8')).toBe(303);
  });

  test('one flow: at most its limit', async () => {
    const all = [];
    for (let at = 0; at < 8; at += 1) all.push(await start(`581234${at}`, `203.0.${at}.3`));
    expect(all).toEqual([303, 303, 303, 303, 303, 303, 409, 409]);
  });
});
