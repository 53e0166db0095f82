import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleOf } from '../support/sample.ts';
import { elsewhere } from './support/elsewhere.ts';
import { fetchFrom, type PageAnswer, type PageRequest } from './support/foreign-page.ts';
import { einar, type IdentityApi, openIdentityApi } from './support/identity.ts';
import { pageBrowser } from './support/page-browser.ts';
import { processRows, type Row } from './support/rows.ts';
import { settingRows } from './support/setting-rows.ts';
import { openWorld, type World } from './support/world.ts';

const acme = 'https://app.acme.example';
const other = 'https://other.example:8443';
const nobody = 'https://nobody.example';
const rows = [...processRows, ...settingRows];

/** Failures that reveal something about a company's data, and successes. */
const isOfOwner = (status: number) => status < 400 || [403, 406, 409, 502, 507].includes(status);

/** Registers the origins of Acme and of the other company. */
async function register({
  toolkit,
  service,
  foreign,
}: Pick<World, 'toolkit' | 'service' | 'foreign'>) {
  await toolkit.addOrigins([acme]);
  const [key] = Buffer.from(foreign.slice(6), 'base64').toString().split(':');
  await (await service.open(key)).addOrigins([other]);
}

describe.each(sampleOf([acme, other, nobody], 3))(
  'CORS of each request in the route table, from a page of %s',
  (origin) => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld();
      await register(world);
    }, 120_000);
    afterAll(() => world.close());

    test.each(rows.map((row) => [row.route, row.what, row] as const))(
      '%s: %s',
      async (_a, _b, row) => {
        const [method = ''] = row.route.split(' ');
        const { url = '', headers = {}, payload, ...rest } = row.send(world);
        expect(Object.keys(rest)).toEqual([]);
        const request = {
          method,
          url: String(url),
          headers: headers as Record<string, string>,
          payload,
        };
        const answer = await fetchFrom(world.app, origin, request as PageRequest);
        const facts = world.app.routeFacts.find(
          (each) => `${each.method} ${each.path}` === row.route,
        );
        if (origin === nobody || facts?.url.startsWith('/api/') !== true) {
          expect(answer.error).toMatch(/no Access-Control-Allow-Origin/);
          return;
        }
        const { status = 0 } = answer;
        if (!('content-length' in headers)) expect(status).toBe(row.status);
        const isAcmes = facts.access !== 'company' || ownsIt(row);
        const mayRead = !isOfOwner(status) || (isAcmes ? origin === acme : false);
        expect([status, answer.error === undefined]).toEqual([status, mayRead]);
      },
    );

    const ownsIt = (row: Row) => {
      const { authorization } = (row.send(world).headers ?? {}) as { authorization?: string };
      return authorization === world.basic;
    };
  },
);

/** Requests to the routes without a row, each with the response that its company's page reads. */
const stories: Readonly<Record<string, (call: Call, api: IdentityApi) => Promise<void>>> = {
  'logins of a flow': async (call, api) => {
    const { flowKey, basic } = api;
    const owner = { authorization: basic };
    const app = { authenticationContextType: 'App', ssn: '6000101994' };
    const begun = await call('POST /auth/start', '/api/auth/start', { flowKey, ...app });
    api.answer();
    const { authRequestId } = begun;
    await call('POST /auth/poll', '/auth/poll', { FlowKey: flowKey, authRequestId });
    await call('POST /auth', '/api/auth', { flowKey, phoneNumber: '6666666' });
    const link = await call(
      'POST /auth/devicelink/start',
      '/auth/devicelink/start',
      { flowKey },
      owner,
    );
    const sessionId = link['sessionId'];
    await call(
      'POST /auth/devicelink/poll',
      '/auth/devicelink/poll',
      { flowKey, sessionId },
      owner,
    );
    const foreign = await call('POST /auth/eid-se/start', '/auth/eid-se/start', { flowKey });
    const status = `/api/auth/eid-se/status/token/${foreign['token']}?flowkey=${flowKey}`;
    await call('GET /auth/eid-se/status/token/{Token}', status);
    await call('POST /auth/eid-se/start', '/auth/eid-se/start', {}, owner);
    // It is executed once: a repeat with the same key gets the same response.
    const again = { ...owner, 'idempotency-key': 'result-1' };
    await call('POST /auth/result', '/auth/result', await resultOf(api), again);
  },
  'logins of a signee': async (call, api) => {
    const { processKey, signeeKey } = await api.process(einar, { requiresAuth: true });
    const place = { processKey, signeeKey };
    const app = { authenticationContextType: 'App', loginHint: einar.ssn };
    const begun = await call('POST /signing/auth/start', '/api/signing/auth/start', {
      ...place,
      ...app,
    });
    const { authRequestId } = begun;
    await call('POST /signing/auth/poll', '/api/signing/auth/poll', { ...place, authRequestId });
    await call('POST /signing/{ProcessKey}/auth', `/api/signing/${processKey}/auth`, app);
  },
  signatures: async (call, api) => {
    const way = 'POST /signing/sign/{ProcessKey}/signee/{SigneeKey}';
    const status = 'GET /signing/status/processkey/{ProcessKey}/signeekey/{SigneeKey}';
    const app = { authenticationContextType: 'App' };
    for (const end of ['', '/eid-se', '/eid-dk']) {
      const place = await api.process(einar);
      const begun = await call(`${way}${end}`, `${place.sign}${end}`, app);
      const token = begun['token'];
      await call(`${status}${end}/token/{Token}`, `${place.status}${end}/token/${token}`);
    }
    const phone = {
      ...{ name: 'B', phoneNumber: '+11111111111', email: 'b@example.test' },
      signatureType: 'Simple',
    };
    const coded = await api.process(phone);
    const { token } = await call(`${way}/otp`, `${coded.sign}/otp`, {});
    await call(`${way}/otp/confirm`, `${coded.sign}/otp/confirm`, { token, code: '123456' });
    const clicker = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' };
    const clicked = await api.process(clicker);
    await call(`${way}/click`, `${clicked.sign}/click`, {});
  },
  'a sequence': async (call, api) => {
    const word = 'þagnarorð 1';
    const anna = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' };
    const place = await api.sequence([{ ...einar }, { ...anna, passcode: word }]);
    const { path, personKeys } = place;
    const route = 'POST /signing/sequential/{SequenceKey}';
    const person = `${route}/signee/{SequentialSigneeKey}`;
    const app = { authenticationContextType: 'App', loginHint: einar.ssn };
    await call(route, path, {});
    await call(`${route}/auth`, `${path}/auth`, app);
    await call(`${person}/passcode`, `${path}/signee/${personKeys[1]}/passcode`, {
      passcode: word,
    });
    const owner = { authorization: api.basic };
    await call(`${person}/token`, `${path}/signee/${personKeys[0]}/token`, {}, owner);
    const one = `${path}/signee/${personKeys[0]}/auth/eid-se/start`;
    await call(`${person}/auth/eid-se/start`, one, {});
    const hint = { loginHint: einar.ssn };
    const begun = await call(`${route}/auth/eid-se/start`, `${path}/auth/eid-se/start`, hint);
    const token = begun['token'];
    await call(`${route}/auth/eid-se/poll`, `${path}/auth/eid-se/poll`, { token });
  },
  persons: async (call, api) => {
    const owner = { authorization: api.basic };
    const status = '/api/management/compliances';
    const person = { name: 'Ödön Kőrösi', ssn: '6000101994', riskEvaluated: true };
    await api.toolkit.compliance.record({ kind: 'person', ...person } as never);
    await api.toolkit.compliance.record({ kind: 'business', name: 'Beta ehf.' } as never);
    await call(
      'GET /management/compliances/individuals/status',
      `${status}/individuals/status?Ssn=6000101994`,
      undefined,
      owner,
    );
    await call(
      'GET /management/compliances/businesses/status',
      `${status}/businesses/status?Name=Beta%20ehf.`,
      undefined,
      owner,
    );
    const flow = await api.toolkit.flows.create({ name: 'Screening', type: 'PEP' });
    const who = { countryCode: 'IS', flowKey: flow.key, firstName: 'Anna', lastName: 'Dal' };
    await call('POST /watchlist/person', '/watchlist/person', who, owner);
  },
};

/** A result code obtained on the login page of a flow. */
async function resultOf(api: IdentityApi): Promise<{ code: string; flowKey: string }> {
  const settings = { initiationMethod: 'Customer' } as const;
  const { key } = await api.toolkit.flows.create({ name: 'My pages', type: 'Auth', settings });
  const link = `/s/${key}?${new URLSearchParams({ returnUrl: acme })}`;
  const browser = pageBrowser(api);
  await browser.open(link);
  await browser.send('login', { channel: 'App', ssn: '6000101994' });
  api.answer();
  const { location = '' } = await browser.open(link);
  return { code: new URL(location).searchParams.get('result') ?? '', flowKey: key };
}

type Call = (
  route: string,
  url: string,
  payload?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Record<string, string>>;

describe('CORS of the routes without a row in the table', () => {
  const called = new Set<string>();
  let api: IdentityApi;
  beforeAll(async () => {
    api = await openIdentityApi();
    await register(api);
  }, 60_000);
  afterAll(() => api.close());

  test.each(Object.keys(stories))(
    '%s',
    async (name) => {
      const call: Call = async (route, url, payload, headers) => {
        called.add(route.toLowerCase());
        const [method = ''] = route.split(' ');
        const request = {
          ...{ method, url },
          ...(payload === undefined ? {} : { payload }),
          ...(headers === undefined ? {} : { headers }),
        };
        const from = (origin: string): Promise<PageAnswer> => fetchFrom(api.app, origin, request);
        expect([route, (await from(nobody)).error]).toEqual([
          route,
          expect.stringMatching(/no Acc/),
        ]);
        const own = await from(acme);
        expect([route, own.error, own.status]).toEqual([route, undefined, 200]);
        // The request is executed, but its response is unreadable: some cannot be sent a second
        // time.
        const foreign = await from(other);
        const readable = foreign.error === undefined && !isOfOwner(foreign.status);
        expect([route, foreign.error === undefined]).toEqual([route, readable]);
        api.answer();
        return own.error === undefined ? JSON.parse(own.body) : {};
      };
      await stories[name]?.(call, api);
    },
    60_000,
  );

  test('the stories call all routes that have no row', () => {
    const routes = Object.entries(elsewhere).flatMap(([, each]) => each);
    const missing = routes.map((each) => each.toLowerCase()).filter((each) => !called.has(each));
    const below = missing.filter(
      (each) => !/ \/(s\/.*|f\/.*|verify|ocsp.*|crl\/.*|issuer\/.*|tsa)?$/.test(each),
    );
    expect(below).toEqual([]);
  });
});
