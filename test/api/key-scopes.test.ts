import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiKeyScope, apiKeyScopes } from '../../src/domain/company/index.ts';
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
  test('a key does what its scope says on every route of companies, and nothing else', async () => {
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

  test('what each scope is for', () => {
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

  test('a process that asks for a login opens to a key that may read, to be read', async () => {
    const signee = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' };
    const place = await api.process(signee, { requiresAuth: true });
    const url = `/api/signing/${place.processKey}/signee/${place.signeeKey}`;
    const [read, screen] = [await key({ scopes: ['read'] }), await key({ scopes: ['screen'] })];
    expect((await api.get(url, { authorization: read })).status).toBe(200);
    const refused = await api.get(url, { authorization: screen });
    expect([refused.status, refused.body.errorCode]).toEqual([403, 'authentication.key.scope']);
  });

  test('a key ends at its time', async () => {
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
  ])('terms %j are refused', async (terms) => {
    await expect(api.toolkit.issueApiKey('x', terms)).rejects.toMatchObject({
      code: 'validation.error',
    });
  });
});
