import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';
import { type Page, pageBrowser } from './support/page-browser.ts';

const words = pageWords('En');
const site = 'https://acme.example';
const odon = { channel: 'App', ssn: '6000101994' };
/** A test person who always says no. */
const refuses = { channel: 'Sim', phone: '0100011' };

/** One who never answers. */
const silent = { channel: 'Sim', phone: '0100014' };

let api: IdentityApi;
let flowKey = '';
beforeAll(async () => {
  api = await openIdentityApi();
  const settings = { initiationMethod: 'Customer' } as const;
  const request = { name: 'My pages', type: 'Auth', language: 'En', settings } as const;
  flowKey = (await api.toolkit.flows.create(request)).key;
  await api.toolkit.addOrigins([site]);
}, 60_000);
afterAll(() => api.close());
beforeEach(() => api.pass(3_600_000));

const link = (query: Record<string, string> = {}) => {
  const more = new URLSearchParams(query).toString();
  return `/s/${flowKey}${more === '' ? '' : `?${more}`}`;
};
const back = { returnUrl: `${site}/in?step=2`, state: 'a b&c=d%20"<é'.replace('é', 'e') };
const fetchResult = (code: string, more = {}, authorization = api.basic) =>
  api.post('/api/auth/result', { code, flowKey, ...more }, { authorization });

/** Logs in, and gives the address at which the person goes on. */
async function logIn(query: Record<string, string>, who: Record<string, string> = odon) {
  const browser = pageBrowser(api);
  await browser.open(link(query));
  await browser.send('login', who);
  api.answer();
  const end = await browser.open(link(query));
  return { browser, end, to: new URL(end.location ?? 'none:') };
}

describe('the page of a flow of type Auth', () => {
  test('says who asks for a login, what for, what is told, and where it leads', async () => {
    const page = await pageBrowser(api).open(link(back));
    expect(page.status).toBe(200);
    expect(page.title).toBe(words.loginHeading);
    expect(page.body).toContain('Acme ehf. asks you to log in: My pages.');
    expect(page.body).toContain('Afterwards you continue at acme.example.');
    expect(page.body).toContain('Back to acme.example without logging in');
    expect(page.acts).toEqual(['login']);
  });

  test('its forms may lead to the site of the link: who is quick goes on at once', async () => {
    const policyOf = async (query: Record<string, string>) =>
      String((await pageBrowser(api).open(link(query))).headers['content-security-policy']);
    expect(await policyOf(back)).toContain("form-action 'self' https://acme.example;");
    expect(await policyOf({})).toContain("form-action 'self';");
    expect(await policyOf({ returnUrl: 'https://evil.example' })).toContain("form-action 'self';");
  });

  test('offers the ways of the flow: MitID too', async () => {
    const { body } = await pageBrowser(api).open(link());
    const values = [...body.matchAll(/name="channel" value="([\w-]+)"/g)].map(([, each]) => each);
    expect(values).toEqual(['Sim', 'App', 'device-link', 'eid-se', 'eid-dk']);
  });

  test.each(['Sim', 'App', 'device-link', 'eid-se', 'eid-dk'])(
    'by %s: the person goes on with a code, and the company fetches who it is',
    async (channel) => {
      const numbers = { phone: '6666666', ssn: '6000101994' };
      const { to, browser } = await logIn(back, { channel, ...numbers });
      expect(to.origin + to.pathname).toBe(`${site}/in`);
      expect([...to.searchParams.keys()]).toEqual(['step', 'result', 'state']);
      expect(to.searchParams.get('state')).toBe(back.state);
      const answer = await fetchResult(to.searchParams.get('result') ?? '');
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        ...{ waitingForUserInput: false, statusMessage: 'ok' },
        customer: { ssn: '6000101994', flowKey },
      });
      expect(answer.body.customer).not.toHaveProperty('address');
      expect(answer.headers['x-innsigli-simulated']).toBe('true');
      expect((await browser.open(link(back))).acts).toEqual(['login']);
    },
  );

  test('shows a code to compare and the time that is left while it waits', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    const waiting = await browser.send('login', odon);
    expect(waiting.body).toContain('class="code"');
    expect(waiting.body).toMatch(/data-left="\d+"/);
    expect(waiting.body).toContain('http-equiv="refresh"');
    expect(waiting.acts).toEqual(['cancel']);
  });

  test('without an address to go on to it says that the window may be closed', async () => {
    const { end, browser } = await logIn({});
    expect(end.body).toContain(words.loginDone);
    expect((await browser.open(link())).body).toContain(words.loginDone);
  });

  test('more is looked up where the company asks for more', async () => {
    const { to } = await logIn(back);
    const code = to.searchParams.get('result') ?? '';
    const { body } = await fetchResult(code, { lookupType: 'NameAddress' });
    expect(body.customer.address).toBeDefined();
  });

  test('the webhook is told once, when somebody has logged in', async () => {
    const url = 'https://receiver.example/';
    await api.post(
      '/api/management/webhook',
      { flowKey, type: 'Auth', url },
      { authorization: api.basic },
    );
    const told = async () => (await api.toolkit.webhooks.deliveries({})).length;
    const { to } = await logIn(back);
    expect(await told()).toBe(1);
    const code = to.searchParams.get('result') ?? '';
    await fetchResult(code, { lookupType: 'NameAddress' });
    expect(await told()).toBe(1);
    await logIn(back, refuses);
    expect(await told()).toBe(1);
  });

  test('with a challenge the result goes to who has its secret', async () => {
    const codeVerifier = 'a secret that the site keeps with the session of the browser';
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const { to } = await logIn({ ...back, codeChallenge });
    const code = to.searchParams.get('result') ?? '';
    expect((await fetchResult(code, { codeVerifier })).status).toBe(200);
  });

  test('another language keeps where the link leads', async () => {
    const { body } = await pageBrowser(api).open(link({ ...back, lng: 'is' }));
    expect(body).toContain(pageWords('Is').loginHeading);
    const [, footer = ''] = /<footer>(.*?)<\/footer>/s.exec(body) ?? [];
    expect(footer).toContain(`name="returnUrl" value="${back.returnUrl}"`);
    expect(footer).toContain('name="state" value="a b&amp;c=d%20&quot;&lt;e"');
  });
});

describe('somebody who does not log in', () => {
  const refusal = ({ body }: Page) => {
    const [, href = ''] = /<p><a href="([^"]+)"/.exec(body) ?? [];
    return new URL(href.replaceAll('&amp;', '&')).searchParams;
  };

  test('cancels: no login any more, and the way back says so', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    await browser.send('login', odon);
    const start = await browser.send('cancel');
    expect(start.acts).toEqual(['login']);
    expect(refusal(start).get('error')).toBe('access_denied');
    expect(refusal(start).get('state')).toBe(back.state);
    api.answer();
    expect((await browser.open(link(back))).acts).toEqual(['login']);
  });

  test('refuses: the page says it once, and offers another try', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    await browser.send('login', refuses);
    api.answer();
    const refused = await browser.open(link(back));
    expect(refused.body).toContain(words.errorEid);
    expect(refusal(refused).get('error')).toBe('access_denied');
    expect((await browser.open(link(back))).body).not.toContain(words.errorEid);
  });

  test('takes too long', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    await browser.send('login', silent);
    api.pass(400_000);
    expect((await browser.open(link(back))).body).toContain('role="alert"');
  });

  test.each([
    ['a number of nobody', { channel: 'Sim', phone: '12' }, 403, words.errorNumber],
    ['no number', { channel: 'App', ssn: '' }, 403, words.errorNumber],
    ['an unknown way', { channel: 'fax', phone: '6666666' }, 422, words.errorEid],
  ])('%s: the page says what is wrong', async (_, who, status, text) => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    const page = await browser.send('login', who);
    expect([page.status, page.acts]).toEqual([status, ['login']]);
    expect(page.body).toContain(text);
  });
});

describe('a flow without such a page', () => {
  test.each([
    ['of the company alone', { initiationMethod: 'Api' }],
    ['by default', {}],
  ] as const)('%s: 404', async (_, settings) => {
    const request = { name: 'Closed', type: 'Auth', language: 'En', settings } as const;
    const { key } = await api.toolkit.flows.create(request);
    expect((await pageBrowser(api).open(`/s/${key}`)).status).toBe(404);
  });

  test('one that was closed meanwhile: nobody goes on', async () => {
    const request = { name: 'Short', type: 'Auth', language: 'En' } as const;
    const open = { initiationMethod: 'Customer' } as const;
    const { key } = await api.toolkit.flows.create({ ...request, settings: open });
    const browser = pageBrowser(api);
    await browser.open(`/s/${key}`);
    await browser.send('login', odon);
    await api.toolkit.flows.update(key, { isActive: false });
    api.answer();
    expect((await browser.open(`/s/${key}`)).status).toBe(404);
  });
});
