import { describe, expect, test } from 'vitest';
import { EidError, type EidState } from '../../../../src/app/ports/index.ts';
import {
  errorOf,
  issuer,
  login,
  oidcBench,
  redirectUri,
} from '../../../support/eid/oidc/oidc-bench.ts';

/** Changes to a return address that an attacker could make. */
const foreign: readonly (readonly [name: string, change: (url: URL) => void])[] = [
  ['no state', (url) => url.searchParams.delete('state')],
  ['an empty state', (url) => url.searchParams.set('state', '')],
  ['another state', (url) => url.searchParams.set('state', 'A'.repeat(43))],
  ['a state with a suffix', (url) => url.searchParams.append('state', 'x')],
  ['two codes', (url) => url.searchParams.append('code', 'code of the attacker')],
  ['no issuer', (url) => url.searchParams.delete('iss')],
  ['another issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
  ['the issuer with a slash', (url) => url.searchParams.set('iss', `${issuer}/`)],
  ['two issuers', (url) => url.searchParams.append('iss', 'https://evil.example')],
  ['no code', (url) => url.searchParams.delete('code')],
  ['a long code', (url) => url.searchParams.set('code', 'c'.repeat(5_000))],
  ['an ID token', (url) => url.searchParams.set('id_token', 'a.b.c')],
  ['a signed response', (url) => url.searchParams.set('response', 'a.b.c')],
  [
    'another path',
    (url) => {
      url.pathname = '/eid/return/other';
    },
  ],
  [
    'another host',
    (url) => {
      url.hostname = 'evil.example';
    },
  ],
];

describe('a return address', () => {
  test.each(foreign)('with %s does not belong to the session', async (_, change) => {
    const { driver, environment, server, begin } = oidcBench();
    const state = await begin();
    const url = server.approve();
    change(url);
    const error = await errorOf(driver.callback?.(state, url, environment) as Promise<EidState>);
    expect(error).toBeInstanceOf(EidError);
    expect((error as EidError).code).toBe('invalidResponse');
  });

  test('is checked without a request and adds nothing but the response to the state', async () => {
    const { driver, environment, server, begin } = oidcBench();
    const state = await begin();
    const before = server.log.length;
    const next = await driver.callback?.(state, server.approve(), environment);
    expect(server.log.length).toBe(before);
    expect({ ...next, answer: undefined }).toEqual({ ...state, answer: undefined });
  });

  test('without an issuer is accepted if the provider never names it', async () => {
    const metadata = { authorization_response_iss_parameter_supported: undefined };
    const { driver, environment, server, begin } = oidcBench({}, { metadata });
    const state = await begin();
    const url = server.approve();
    url.searchParams.delete('iss');
    const next = (await driver.callback?.(state, url, environment)) as EidState;
    expect(await driver.poll(next, environment)).toMatchObject({ status: 'complete' });
  });

  test('that arrives twice counts once, and a different one is rejected', async () => {
    const { driver, environment, server, begin } = oidcBench();
    const state = await begin();
    const url = server.approve();
    const once = (await driver.callback?.(state, url, environment)) as EidState;
    expect(await driver.callback?.(once, url, environment)).toEqual(once);
    const late = server.approve();
    const error = await errorOf(driver.callback?.(once, late, environment) as Promise<EidState>);
    expect(error).toMatchObject({ code: 'invalidResponse' });
    const denial = server.deny('access_denied');
    const denied = await errorOf(driver.callback?.(once, denial, environment) as Promise<EidState>);
    expect(denied).toMatchObject({ code: 'invalidResponse' });
  });
});

describe('an attack across two sessions', () => {
  test("login CSRF: the attacker's return does not match the victim's session", async () => {
    const { driver, environment, server, begin } = oidcBench();
    const victim = await begin();
    await begin();
    const url = server.approve();
    const error = await errorOf(driver.callback?.(victim, url, environment) as Promise<EidState>);
    expect(error).toMatchObject({ code: 'invalidResponse' });
  });

  test('code injection: a code of another session is not redeemed', async () => {
    const { driver, environment, server, begin } = oidcBench();
    const victim = await begin();
    await begin();
    const url = server.approve();
    url.searchParams.set('state', `${victim['state']}`);
    const next = (await driver.callback?.(victim, url, environment)) as EidState;
    expect(await driver.poll(next, environment)).toEqual({
      status: 'failed',
      code: 'expiredTransaction',
      providerCode: 'invalid_grant',
    });
  });

  test('code injection without PKCE: the nonce does not match', async () => {
    const { driver, environment, server, begin } = oidcBench();
    const victim = await begin();
    const attacker = await begin();
    const url = server.approve();
    url.searchParams.set('state', `${victim['state']}`);
    const stolen = { ...victim, verifier: attacker['verifier'] };
    const next = (await driver.callback?.(stolen, url, environment)) as EidState;
    expect(await driver.poll(next, environment)).toEqual({
      status: 'failed',
      code: 'invalidResponse',
    });
  });

  test('replay: a used code yields no second identity', async () => {
    const { driver, environment, approved } = oidcBench();
    const state = await approved();
    expect(await driver.poll(state, environment)).toMatchObject({ status: 'complete' });
    expect(await driver.poll(state, environment)).toMatchObject({
      status: 'failed',
      code: 'expiredTransaction',
    });
  });

  test('mix-up: a session of one issuer is not completed at another', async () => {
    const honest = oidcBench();
    const state = await honest.approved();
    const other = 'https://other.example';
    const evil = oidcBench({ issuer: other }, { issuer: other });
    const answer = await evil.driver.poll(state, evil.environment);
    expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
    expect(evil.server.log.map(({ url }) => url)).not.toContain(`${other}/token`);
  });

  test.each([
    ['another driver', { driver: 'oidc-neb' }],
    ['another client', { clientId: 'another' }],
    ['no verifier', { verifier: '' }],
    ['no time', { startedAtMs: null }],
  ])('foreign state: a state of %s is rejected', async (_, changes) => {
    const { driver, environment, server, approved } = oidcBench();
    const state = { ...(await approved()), ...changes };
    const before = server.log.length;
    const error = await errorOf(driver.poll(state, environment));
    expect(error).toMatchObject({ code: 'internalError' });
    expect(server.log.length).toBe(before);
  });

  test('two sessions share no secret', async () => {
    const { begin } = oidcBench();
    const [one, other] = [await begin(), await begin()];
    for (const name of ['state', 'nonce', 'verifier']) expect(one[name]).not.toBe(other[name]);
    expect(new Set([one['state'], one['nonce'], one['verifier']]).size).toBe(3);
  });
});

describe('the redirect URI', () => {
  test('comes with a state prefixed by that of the caller', async () => {
    const { driver, environment, server } = oidcBench();
    const returnUrl = `${redirectUri}?state=session-of-the-caller`;
    const { challenge } = await driver.start({ ...login, returnUrl }, environment);
    const { state = '', redirect_uri: to } = server.visit(challenge.redirectUrl ?? '');
    expect(state).toMatch(/^session-of-the-caller\.[\w-]{43}$/);
    expect(to).toBe(redirectUri);
  });

  test('is that of the request if none is configured', async () => {
    const { redirectUri: _, ...options } = oidcBench().options;
    const { driver, environment, server } = oidcBench({
      ...options,
      redirectUri: undefined as never,
    });
    const { challenge } = await driver.start({ ...login, returnUrl: redirectUri }, environment);
    expect(server.visit(challenge.redirectUrl ?? '')['redirect_uri']).toBe(redirectUri);
  });

  test.each([
    ['nothing', undefined, undefined],
    ['no address', 'not an address', undefined],
    ['a query of the registered address', `${redirectUri}?a=1`, undefined],
    ['a fragment', `${redirectUri}#a`, undefined],
    ['a short state of the caller', redirectUri, `${redirectUri}?state=1`],
    ['a state with forbidden characters', redirectUri, `${redirectUri}?state=12345678%0A`],
  ])('is rejected with %s', async (_, configured, returnUrl) => {
    const { driver, environment } = oidcBench({ redirectUri: configured as never });
    const request = returnUrl === undefined ? login : { ...login, returnUrl };
    const error = await errorOf(driver.start(request, environment));
    expect(error).toMatchObject({ code: 'internalError' });
  });
});

describe('an abandoned session', () => {
  test('ends after its time limit, without a request', async () => {
    const { driver, environment, server, advance, begin } = oidcBench({ sessionSeconds: 300 });
    const state = await begin();
    const before = server.log.length;
    advance(299_000);
    expect(await driver.poll(state, environment)).toMatchObject({ status: 'pending' });
    advance(2_000);
    expect(await driver.poll(state, environment)).toEqual({
      status: 'failed',
      code: 'expiredTransaction',
    });
    expect(server.log.length).toBe(before);
  });

  test('is not completed by a person who returns too late', async () => {
    const { driver, environment, server, advance, begin } = oidcBench({ sessionSeconds: 300 });
    const state = await begin();
    advance(301_000);
    const next = (await driver.callback?.(state, server.approve(), environment)) as EidState;
    expect(await driver.poll(next, environment)).toEqual({
      status: 'failed',
      code: 'expiredTransaction',
    });
  });
});
