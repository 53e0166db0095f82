import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageWords } from '../../src/api/pages/index.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';
import { type Page, pageBrowser } from './support/page-browser.ts';

const words = pageWords('En');
const site = 'https://acme.example';
const odon = { channel: 'App', ssn: '6000101994' };
/** A test person who always refuses. */
const refuses = { channel: 'Sim', phone: '0100011' };

/** A test person who never responds. */
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

/** Logs in and returns the URL to which the person is redirected. */
async function logIn(query: Record<string, string>, who: Record<string, string> = odon) {
  const browser = pageBrowser(api);
  await browser.open(link(query));
  await browser.send('login', who);
  api.answer();
  const end = await browser.open(link(query));
  return { browser, end, to: new URL(end.location ?? 'none:') };
}

describe('the login page of a flow of type Auth', () => {
  test('states who asks for a login and why, which data are returned, and where it leads', async () => {
    const page = await pageBrowser(api).open(link(back));
    expect(page.status).toBe(200);
    expect(page.title).toBe(words.loginHeading);
    expect(page.body).toContain('Acme ehf. asks you to log in: My pages.');
    expect(page.body).toContain('Afterwards you continue at acme.example.');
    expect(page.body).toContain('Back to acme.example without logging in');
    expect(page.acts).toEqual(['login']);
  });

  test('allows its forms to lead to the site of the link, so that a quick person goes straight on', async () => {
    const policyOf = async (query: Record<string, string>) =>
      String((await pageBrowser(api).open(link(query))).headers['content-security-policy']);
    expect(await policyOf(back)).toContain("form-action 'self' https://acme.example;");
    expect(await policyOf({})).toContain("form-action 'self';");
    expect(await policyOf({ returnUrl: 'https://evil.example' })).toContain("form-action 'self';");
  });

  test('offers the e-ID methods of the flow, including MitID', async () => {
    const { body } = await pageBrowser(api).open(link());
    const values = [...body.matchAll(/name="channel" value="([\w-]+)"/g)].map(([, each]) => each);
    expect(values).toEqual(['Sim', 'App', 'device-link', 'eid-se', 'eid-dk']);
  });

  test.each(['Sim', 'App', 'device-link', 'eid-se', 'eid-dk'])(
    'by %s: redirects with a result code, with which the company retrieves the person',
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

  test('shows the verification code and the remaining time while it waits', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    const waiting = await browser.send('login', odon);
    expect(waiting.body).toContain('class="code"');
    expect(waiting.body).toMatch(/data-left="\d+"/);
    expect(waiting.body).toContain('http-equiv="refresh"');
    expect(waiting.acts).toEqual(['cancel']);
  });

  test('says that the window may be closed if no returnUrl was given', async () => {
    const { end, browser } = await logIn({});
    expect(end.body).toContain(words.loginDone);
    expect((await browser.open(link())).body).toContain(words.loginDone);
  });

  test('looks up more data if the company asks for it', async () => {
    const { to } = await logIn(back);
    const code = to.searchParams.get('result') ?? '';
    const { body } = await fetchResult(code, { lookupType: 'NameAddress' });
    expect(body.customer.address).toBeDefined();
  });

  test('notifies the webhook once per login', async () => {
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

  test('with a code challenge, returns the result to the holder of the verifier', async () => {
    const codeVerifier = 'a secret that the site keeps with the session of the browser';
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const { to } = await logIn({ ...back, codeChallenge });
    const code = to.searchParams.get('result') ?? '';
    expect((await fetchResult(code, { codeVerifier })).status).toBe(200);
  });

  test('a change of language keeps returnUrl and state', async () => {
    const { body } = await pageBrowser(api).open(link({ ...back, lng: 'is' }));
    expect(body).toContain(pageWords('Is').loginHeading);
    const [, footer = ''] = /<footer>(.*?)<\/footer>/s.exec(body) ?? [];
    expect(footer).toContain(`name="returnUrl" value="${back.returnUrl}"`);
    expect(footer).toContain('name="state" value="a b&amp;c=d%20&quot;&lt;e"');
  });
});

describe('a person who does not log in', () => {
  const refusal = ({ body }: Page) => {
    const [, href = ''] = /<p><a href="([^"]+)"/.exec(body) ?? [];
    return new URL(href.replaceAll('&amp;', '&')).searchParams;
  };

  test('cancels: the login ends, and the way back carries access_denied', async () => {
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

  test('refuses: the page reports it once and offers another attempt', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    await browser.send('login', refuses);
    api.answer();
    const refused = await browser.open(link(back));
    expect(refused.body).toContain(words.errorEid);
    expect(refusal(refused).get('error')).toBe('access_denied');
    expect((await browser.open(link(back))).body).not.toContain(words.errorEid);
  });

  test('does not respond in time: the page says so', async () => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    await browser.send('login', silent);
    api.pass(400_000);
    expect((await browser.open(link(back))).body).toContain('role="alert"');
  });

  test.each([
    ['an invalid number', { channel: 'Sim', phone: '12' }, 403, words.errorNumber],
    ['no number', { channel: 'App', ssn: '' }, 403, words.errorNumber],
    ['an unknown method', { channel: 'fax', phone: '6666666' }, 422, words.errorEid],
  ])('%s: the page states the fault', async (_, who, status, text) => {
    const browser = pageBrowser(api);
    await browser.open(link(back));
    const page = await browser.send('login', who);
    expect([page.status, page.acts]).toEqual([status, ['login']]);
    expect(page.body).toContain(text);
  });
});

describe('a flow without a login page', () => {
  test.each([
    ['for companies only', { initiationMethod: 'Api' }],
    ['by default', {}],
  ] as const)('%s: answers 404', async (_, settings) => {
    const request = { name: 'Closed', type: 'Auth', language: 'En', settings } as const;
    const { key } = await api.toolkit.flows.create(request);
    expect((await pageBrowser(api).open(`/s/${key}`)).status).toBe(404);
  });

  test('a flow closed during a login: no one is redirected', async () => {
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
