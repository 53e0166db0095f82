import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { fetchFrom, type PageRequest } from './support/foreign-page.ts';
import { einar, type IdentityApi, openIdentityApi } from './support/identity.ts';
import { agreement } from './support/open-api.ts';

const acme = 'https://app.acme.example';
const other = 'https://other.example';
const shared = 'https://portal.example';
const allowing = /^access-control-/;

let api: IdentityApi;
let otherKey = '';
beforeAll(async () => {
  api = await openIdentityApi();
  otherKey = Buffer.from(api.foreign.slice(6), 'base64').toString().split(':')[0] ?? '';
}, 60_000);
afterAll(() => api.close());

const preflight = (origin: string, url: string, method = 'GET') =>
  api.app.inject({
    ...{ method: 'OPTIONS', url },
    headers: { origin, 'access-control-request-method': method },
  });
const corsHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => allowing.test(name)));
const flows: PageRequest = { method: 'GET', url: '/api/management/flow' };
const withKey = (authorization: string, request = flows) => ({
  ...request,
  headers: { authorization },
});
const read = async (origin: string, request: PageRequest) =>
  (await fetchFrom(api.app, origin, request)).error === undefined;

describe('CORS while no company has registered an origin', () => {
  test.each([
    ['/api/management/flow', 405, 'GET, HEAD'],
    ['/api/auth/start', 405, 'POST'],
    ['/api/nothing', 404, undefined],
    ['/healthz', 405, 'GET, HEAD'],
  ])('answers a preflight of %s with %i and no CORS headers', async (url, status, allow) => {
    const { statusCode, headers } = await preflight(acme, url);
    expect([statusCode, headers['allow'], corsHeaders(headers)]).toEqual([status, allow, {}]);
  });

  test('answers are the same with and without an Origin header', async () => {
    const { url } = flows;
    for (const authorization of [api.basic, 'Basic eDp5', '']) {
      const [bare, named] = await Promise.all(
        [{}, { origin: acme }].map((more) =>
          api.app.inject({ url, headers: { authorization, ...more } }),
        ),
      );
      const [a, b] = [bare, named].map((reply) => {
        const { date: _, 'x-request-id': __, ...rest } = reply?.headers ?? {};
        return rest;
      });
      expect(b).toEqual(a);
      expect(a).toMatchObject({ vary: 'origin', 'cross-origin-resource-policy': 'same-origin' });
    }
  });
});

describe('CORS with registered origins', () => {
  beforeAll(async () => {
    await api.toolkit.addOrigins([acme, shared]);
    await (await api.service.open(otherKey)).addOrigins([other, shared]);
    api.pass(2000);
  });

  test('a preflight lists the allowed method and headers, and its lifetime', async () => {
    const { statusCode, headers, body } = await preflight(acme, '/api/auth/start', 'POST');
    expect([statusCode, body]).toEqual([204, '']);
    expect(corsHeaders(headers)).toEqual({
      'access-control-allow-origin': acme,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers':
        'authorization, content-type, idempotency-key, if-none-match, x-access-token, x-request-id',
      'access-control-max-age': '60',
    });
    expect(headers).toMatchObject({
      vary: 'origin',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test.each([
    ['/api/signing/sp1/signee/si1', 'GET, HEAD, PUT'],
    ['/signing/sp1/signee/si1/', 'GET, HEAD, PUT'],
    ['/API/Management/Signing', 'DELETE, POST'],
    ['/api/pdf/sp1/si1.PDF?x=1', 'GET, HEAD'],
  ])('a preflight of %s allows %s', async (url, methods) => {
    const { headers } = await preflight(acme, url, 'PUT');
    expect(headers['access-control-allow-methods']).toBe(methods);
  });

  test.each([
    ['null', 'null'],
    ['a different port', `${acme}:8443`],
    ['a different scheme', 'http://app.acme.example'],
    ['a longer name', `${acme}.evil.example`],
    ['a part of the host name', 'https://acme.example'],
    ['a subdomain', 'https://x.app.acme.example'],
    ['capital letters', 'https://App.acme.example'],
    ['a trailing slash', `${acme}/`],
    ['two origins', `${acme}, ${acme}`],
    ['nothing', ''],
  ])('origins are compared exactly: %s is not allowed', async (_what, origin) => {
    const { statusCode, headers } = await preflight(origin, flows.url);
    expect([statusCode, corsHeaders(headers)]).toEqual([405, {}]);
    const reply = await api.app.inject({
      url: flows.url,
      headers: { origin, authorization: api.basic },
    });
    expect(corsHeaders(reply.headers)).toEqual({});
  });

  test.each([
    '/healthz',
    '/readyz',
    '/metrics',
    '/',
    '/openapi.json',
    '/api/swagger-ui',
    '/s/sp1/si1',
  ])('no page can read %s', async (url) => {
    expect((await preflight(acme, url)).statusCode).toBe(405);
    expect(await read(acme, { method: 'GET', url })).toBe(false);
  });

  test('answers 405 to an OPTIONS request that is not a preflight', async () => {
    const { statusCode } = await api.app.inject({
      ...{ method: 'OPTIONS', url: flows.url, headers: { origin: acme } },
    });
    expect(statusCode).toBe(405);
  });

  test('a page reads only its own company; a portal registered by both companies reads both', async () => {
    const matrix = [];
    for (const origin of [acme, other, shared]) {
      const own = [api.basic, api.foreign].map((key) => read(origin, withKey(key)));
      matrix.push([origin, ...(await Promise.all(own))]);
    }
    expect(matrix).toEqual([
      [acme, true, false],
      [other, false, true],
      [shared, true, true],
    ]);
  });

  test('a page can read the response headers it needs, and receives no cookies', async () => {
    const clicker = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' };
    const { processKey, signeeKey } = await api.process(clicker);
    const url = `/api/pdf/${processKey}/${signeeKey}.pdf`;
    const pdf = await fetchFrom(api.app, acme, { method: 'GET', url });
    if (pdf.error !== undefined) throw new Error(pdf.error);
    expect([pdf.status, pdf.preflight]).toEqual([200, false]);
    expect(pdf.headers['content-disposition']).toContain('Samningur.pdf');
    const { etag = '' } = pdf.headers;
    const same = { method: 'GET', url, headers: { 'if-none-match': etag } };
    expect(await fetchFrom(api.app, acme, same)).toMatchObject({ status: 304, preflight: true });
    const asked = await api.process(einar, { requiresAuth: true });
    const place = { processKey: asked.processKey, signeeKey: asked.signeeKey };
    const app = { authenticationContextType: 'App', loginHint: einar.ssn };
    const post = (path: string, payload: object) =>
      fetchFrom(api.app, acme, { method: 'POST', url: path, payload });
    const begun = await post('/api/signing/auth/start', { ...place, ...app });
    const { authRequestId } = JSON.parse('body' in begun ? begun.body : '{}');
    const early = await post('/api/signing/auth/poll', { ...place, authRequestId });
    const hasty = await post('/api/signing/auth/poll', { ...place, authRequestId });
    expect([early, hasty]).toMatchObject([
      { status: 200, headers: { 'x-innsigli-simulated': 'true' } },
      { status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } },
    ]);
    api.answer();
    const done = await post('/api/signing/auth/poll', { ...place, authRequestId });
    if (done.error !== undefined) throw new Error(done.error);
    expect(done.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    const token = done.headers['x-access-token'] ?? '';
    const opened = {
      ...{ method: 'GET', url: `/api/signing/${place.processKey}/signee/${place.signeeKey}` },
      headers: { 'x-access-token': token },
    };
    expect(await fetchFrom(api.app, acme, opened)).toMatchObject({ status: 200, preflight: true });
    expect(await read(other, opened)).toBe(false);
    const raw = await api.app.inject({ ...opened, method: 'GET', headers: { origin: acme } });
    expect(Object.keys(corsHeaders(raw.headers)).sort()).toEqual([
      'access-control-allow-origin',
      'access-control-expose-headers',
    ]);
  });

  test('object keys of another company in the request do not change whose origins apply', async () => {
    const theirs = await api.service.open(otherKey);
    const [flow] = await theirs.flows.list();
    const anna = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' as const };
    const pdf = agreement;
    const { key } = await theirs.processes.create({
      flowKey: flow?.flowKey ?? '',
      pdf,
      signees: [anna],
    });
    const { path, personKeys } = await api.sequence([anna]);
    const decoys = { processKey: key, flowKey: flow?.flowKey, sequenceKey: key };
    const query = `?ProcessKey=${key}&FlowKey=${flow?.flowKey}&processKey=${key}`;
    const view = {
      method: 'POST',
      url: path + query,
      payload: { signeeKey: personKeys[0], ...decoys },
    };
    expect([await read(acme, view), await read(other, view)]).toEqual([true, false]);
    const login = { authenticationContextType: 'App', ssn: '6000101994', flowKey: api.flowKey };
    const payload = { ...login, processKey: key };
    const start = { method: 'POST', url: `/api/auth/start${query}`, payload };
    expect([await read(acme, start), await read(other, start)]).toEqual([true, false]);
  });

  test('a login without a flow is readable for the company whose API key was sent', async () => {
    const start = { method: 'POST', url: '/api/auth/eid-se/start', payload: {} };
    expect(await read(acme, start)).toBe(false);
    expect(await read(acme, withKey(api.basic, start))).toBe(true);
    expect(await read(acme, withKey(api.foreign, start))).toBe(false);
  });
});

describe('CORS of failures', () => {
  test.each<[string, number, PageRequest]>([
    ['a wrong key', 401, withKey('Basic eDp5')],
    ['no key', 401, flows],
    ['an unknown process', 404, { method: 'GET', url: '/api/signing/sp00/signee/si00' }],
    ['an invalid value', 400, { method: 'POST', url: '/api/auth/start', payload: {} }],
    ['an unsupported type', 415, { method: 'POST', url: '/api/auth/start', payload: 'x' }],
    [
      'a body that is too large',
      413,
      { method: 'POST', url: '/api/auth/start', payload: { x: 'x'.repeat(300_000) } },
    ],
  ])('%s: %i is readable for every registered page', async (_what, status, request) => {
    for (const origin of [acme, other]) {
      expect(await fetchFrom(api.app, origin, request)).toMatchObject({ status });
    }
    expect(await read('https://nobody.example', request)).toBe(false);
  });

  test('a refusal by a document is readable only for pages of its company', async () => {
    const { sign } = await api.process(einar);
    const click = { method: 'POST', url: `${sign}/click`, payload: {} };
    expect(await fetchFrom(api.app, acme, click)).toMatchObject({ status: 403 });
    expect(await read(other, click)).toBe(false);
  });

  test("CORS headers reveal no more about another company's documents than the responses do", async () => {
    const { processKey, signeeKey } = await api.process(einar, { requiresAuth: true });
    const ask = (key: string, authorization?: string) =>
      api.app.inject({
        url: `/api/signing/${key}/signee/${signeeKey}`,
        headers: { origin: other, ...(authorization === undefined ? {} : { authorization }) },
      });
    const [there, not] = await Promise.all(
      [processKey, 'sp00000000000000000000000000000000'].map((key) => ask(key, api.foreign)),
    );
    expect([there?.statusCode, not?.statusCode]).toEqual([404, 404]);
    expect(corsHeaders(there?.headers ?? {})).toEqual(corsHeaders(not?.headers ?? {}));
  });

  test('a page can read Retry-After when its address has sent too many requests', async () => {
    const crowded = await openIdentityApi({ requestsPerAddress: 1, trustProxy: ['127.0.0.1'] });
    await crowded.toolkit.addOrigins([acme]);
    const headers = { 'x-forwarded-for': '203.0.113.9', origin: acme };
    const ask = () => crowded.app.inject({ url: '/api/signing/sp00/signee/si00', headers });
    let reply = await ask();
    for (let at = 0; at < 30 && reply.statusCode !== 429; at += 1) reply = await ask();
    expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([429, acme]);
    expect(reply.headers['access-control-expose-headers']).toContain('retry-after');
    // Preflights count as any other request.
    const asked = await crowded.app.inject({
      ...{ method: 'OPTIONS', url: flows.url },
      headers: { ...headers, 'access-control-request-method': 'GET' },
    });
    expect([asked.statusCode, corsHeaders(asked.headers)]).toEqual([429, {}]);
    await crowded.close();
  }, 60_000);
});

test('an origin added or removed by another process takes effect within two seconds', async () => {
  const page = 'https://new.acme.example';
  const { config } = resolveConfig({
    flags: {},
    env: { HOME: api.dataDir, INNSIGLI_HOME: api.dataDir },
    cwd: api.dataDir,
  });
  const io = { now: Date.now, random: () => new Uint8Array(16), warn: () => undefined };
  const kit = openToolkit(config, io);
  const service = await kit.service();
  const toolkit = await service.open(api.toolkit.company.key);
  const reads = () => read(page, withKey(api.basic));
  expect(await reads()).toBe(false);
  await toolkit.addOrigins([page]);
  expect(await reads()).toBe(false);
  api.pass(2000);
  expect(await reads()).toBe(true);
  await toolkit.removeOrigins([page]);
  api.pass(2000);
  expect(await reads()).toBe(false);
  expect((await preflight(page, flows.url)).statusCode).toBe(405);
  await service.close();
  kit.close();
});
