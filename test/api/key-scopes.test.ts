import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiKeyScope, apiKeyScopes } from '../../src/domain/company.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;
let companyKey: string;

beforeAll(async () => {
  api = await openIdentityApi();
  companyKey = api.toolkit.company.key;
}, 60_000);
afterAll(() => api.close());

const key = async (terms: Parameters<IdentityApi['toolkit']['issueApiKey']>[1]) => {
  const { apiKey } = await api.toolkit.issueApiKey('narrow', terms);
  return `Basic ${Buffer.from(`${companyKey}:${apiKey}`).toString('base64')}`;
};

describe('scopes of API keys', () => {
  test('a key is accepted on exactly the company routes of its scope', async () => {
    const keys = new Map<ApiKeyScope, string>();
    for (const scope of apiKeyScopes) keys.set(scope, await key({ scopes: [scope] }));
    const routes = api.app.routeFacts.filter(({ access }) => access === 'company');
    expect(routes.length).toBeGreaterThan(30);
    for (const { method, url, scope } of routes) {
      for (const [held, authorization] of keys) {
        const reply = await api.app.inject({
          method: method as 'GET',
          url: url.replaceAll(/\{(\w+)\}/g, 'x'),
          headers: { authorization },
        });
        const isRefused = reply.statusCode === 403;
        expect([method, url, held, isRefused]).toEqual([
          method,
          url,
          held,
          scope !== 'any' && scope !== held,
        ]);
      }
    }
  });

  test('routes have the expected scopes', () => {
    const of = (method: string, path: string) =>
      api.app.routeFacts.find((each) => each.method === method && each.path === path)?.scope;
    expect(of('POST', '/management/signing')).toBe('sign');
    expect(of('POST', '/management/sealing')).toBe('sign');
    expect(of('GET', '/signing/activity')).toBe('read');
    expect(of('POST', '/verify')).toBe('read');
    expect(of('POST', '/management/webhook')).toBe('manage');
    expect(of('PUT', '/management/emailtemplate/{Id}')).toBe('manage');
    expect(of('POST', '/watchlist/person')).toBe('screen');
  });

  test('a process that requires a login can be read with a key of scope read', async () => {
    const signee = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' };
    const place = await api.process(signee, { requiresAuth: true });
    const url = `/api/signing/${place.processKey}/signee/${place.signeeKey}`;
    const [read, screen] = [await key({ scopes: ['read'] }), await key({ scopes: ['screen'] })];
    expect((await api.get(url, { authorization: read })).status).toBe(200);
    const refused = await api.get(url, { authorization: screen });
    expect([refused.status, refused.body.errorCode]).toEqual([403, 'authentication.key.scope']);
  });

  test('a login started with a key that lacks the scope sign is rejected, as documented', async () => {
    const signee = { name: 'Ödön Kőrösi', phoneNumber: '6666666' };
    const { processKey, signeeKey } = await api.process(signee);
    const { path, personKeys } = await api.sequence([signee]);
    const { flowKey } = api;
    const bySim = { authenticationContextType: 'Sim', loginHint: '6666666' };
    const headers = { authorization: await key({ scopes: ['read'] }) };
    for (const [url, body] of [
      ['/api/auth/start', { flowKey, ...bySim }],
      ['/api/auth', { flowKey, phoneNumber: '6666666' }],
      ['/api/auth/eid-se/start', { flowKey }],
      ['/api/signing/auth/start', { processKey, signeeKey, ...bySim }],
      [`/api/signing/${processKey}/auth`, { signeeKey, ...bySim }],
      [`${path}/auth`, bySim],
      [`${path}/auth/eid-se/start`, {}],
      [`${path}/signee/${personKeys[0]}/auth/eid-se/start`, {}],
    ] as const) {
      const { status, body: answer } = await api.post(url, body, headers);
      expect([url, status, answer.errorCode]).toEqual([url, 403, 'authentication.key.scope']);
    }
  });

  test('a key expires at its time', async () => {
    const expiresAtMs = Date.now() + 3_600_000;
    const authorization = await key({ expiresAtMs });
    const url = '/api/management/flow';
    expect((await api.get(url, { authorization })).status).toBe(200);
    api.pass(3_600_000);
    expect((await api.get(url, { authorization })).status).toBe(401);
  });

  test.each([
    [{ scopes: [] }],
    [{ scopes: ['everything'] as never }],
    [{ expiresAtMs: 1 }],
    [{ expiresAtMs: Number.NaN }],
  ])('rejects the terms %j', async (terms) => {
    await expect(api.toolkit.issueApiKey('x', terms)).rejects.toMatchObject({
      code: 'validation.error',
    });
  });
});

describe('an API key with scope read but not sign', () => {
  const signees = [
    { name: 'Anna', email: 'a@example.test', signatureType: 'ClickToSign' },
    { name: 'Bera', email: 'b@example.test', signatureType: 'ClickToSign' },
  ];
  const keyForm = /\b(si[0-9a-f]{32}|gs[0-9a-f]{16})\b/g;
  const keysIn = (body: object) => new Set(JSON.stringify(body).match(keyForm));

  test('receives no keys and links of signees', async () => {
    const [read, sign] = [await key({ scopes: ['read'] }), await key({ scopes: ['sign', 'read'] })];
    const place = await api.process(signees);
    const own = await api.sequence(signees);
    const [first] = own.processes;
    const paths = [
      `/api/signing/${place.processKey}/signee/${place.signeeKey}`,
      `/api/signing/activity?StartDate=2020-01-01&EndDate=2100-01-01`,
      `/api/signing/activity/company?StartDate=2020-01-01&EndDate=2100-01-01`,
      `/api/signing/activity/user?StartDate=2020-01-01&EndDate=2100-01-01&User=owner@example.test`,
      `/api/signing/activity/${place.processKey}`,
      `/api/signing/activity/${first?.key}`,
    ];
    for (const path of paths) {
      const narrow = await api.get(path, { authorization: read });
      expect([path, narrow.status, [...keysIn(narrow.body)]]).toEqual([path, 200, []]);
      expect(JSON.stringify(narrow.body)).toContain('Anna');
      const wide = await api.get(path, { authorization: sign });
      expect([path, wide.status, keysIn(wide.body).size > 1]).toEqual([path, 200, true]);
    }
    const whole = await api.get(paths[4] as string, { authorization: api.basic });
    expect(keysIn(whole.body).size).toBe(2);
  });

  test('receives contact data', async () => {
    const read = await key({ scopes: ['read'] });
    const place = await api.process(signees);
    const path = `/api/signing/${place.processKey}/signee/${place.signeeKey}`;
    const { body } = await api.get(path, { authorization: read });
    expect(body.signees.map(({ email }: { email: string }) => email)).toEqual([
      'a@example.test',
      'b@example.test',
    ]);
  });
});
