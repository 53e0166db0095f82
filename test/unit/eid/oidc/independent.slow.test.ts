import { createPublicKey } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type OidcOptions, oidcDriver } from '../../../../src/adapters/eid/oidc/index.ts';
import type { EidState } from '../../../../src/app/ports/index.ts';
import {
  type IndependentProvider,
  independentProvider,
  socketEnvironment,
} from '../../../support/eid/oidc/independent-provider.ts';
import {
  keyNamed,
  login,
  oidcBench,
  person,
  redirectUri,
} from '../../../support/eid/oidc/oidc-bench.ts';
import { jwkOf, pemOf, verifiedClaims } from '../../../support/eid/oidc/oidc-tokens.ts';

const clientId = 'client-1';
const secret = 'a secret of the client: + / & %';
const assertion = keyNamed('client', 'ES256');
const decryption = keyNamed('decryption');
const environment = socketEnvironment(oidcBench().environment);
const { loa: _, ...claims } = person;
const open: IndependentProvider[] = [];

afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
});
afterAll(() => expect(open).toEqual([]));

/** A driver and provider with a client registered as given. */
async function scene(registered: object, configured: Partial<OidcOptions>) {
  const provider = await independentProvider(
    { client_id: clientId, redirect_uris: [redirectUri], ...registered },
    claims,
    ['RS256', 'ES256'].map((alg) => {
      const key = keyNamed(`provider ${alg}`, alg as 'RS256');
      return { ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, alg, use: 'sig' };
    }),
  );
  open.push(provider);
  const options: OidcOptions = {
    issuer: provider.issuer,
    clientId,
    clientAuthentication: { method: 'client_secret_basic', secret },
    redirectUri,
    ...configured,
    overrides: {
      scopes: ['openid', 'profile', 'national_id'],
      parameters: { prompt: 'login', ui_locales: '{language}', acr_values: '{acr}' },
      acr: { substantial: 'substantial', high: 'high' },
      ...configured.overrides,
    },
  };
  const driver = oidcDriver(options);
  const begin = async () => {
    const { state, challenge } = await driver.start(login, environment);
    return { state, page: challenge.redirectUrl ?? '' };
  };
  return { provider, driver, begin };
}

const jwks = { keys: [jwkOf(assertion)] };
const byKey = {
  registered: { token_endpoint_auth_method: 'private_key_jwt', jwks },
  configured: {
    clientAuthentication: {
      method: 'private_key_jwt',
      pem: pemOf(assertion),
      keyId: assertion.kid,
    },
  },
} as const;

const ways = [
  {
    name: 'code and PKCE with a secret by Basic, pushed because the provider offers it',
    registered: { client_secret: secret },
    configured: {},
    isPushed: true,
  },
  {
    name: 'code and PKCE with a secret in the body, not pushed',
    registered: { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' },
    configured: {
      clientAuthentication: { method: 'client_secret_post', secret },
      overrides: { pushedRequests: 'never' },
    },
    isPushed: false,
  },
  { name: 'private_key_jwt', ...byKey, isPushed: true },
  {
    name: 'pushed requests that are demanded, with a signed request object',
    registered: {
      ...byKey.registered,
      require_pushed_authorization_requests: true,
      request_object_signing_alg: 'ES256',
    },
    configured: {
      ...byKey.configured,
      requestObjectKey: { pem: pemOf(assertion), keyId: assertion.kid },
    },
    isPushed: true,
  },
  {
    name: 'a signed request object in the address',
    registered: { ...byKey.registered, request_object_signing_alg: 'ES256' },
    configured: {
      ...byKey.configured,
      requestObjectKey: { pem: pemOf(assertion), keyId: assertion.kid },
      overrides: { pushedRequests: 'never' },
    },
    isPushed: false,
  },
  {
    name: 'an ES256 ID token, encrypted with RSA-OAEP-256',
    registered: {
      client_secret: secret,
      id_token_signed_response_alg: 'ES256',
      id_token_encrypted_response_alg: 'RSA-OAEP-256',
      id_token_encrypted_response_enc: 'A256GCM',
      jwks: { keys: [{ ...jwkOf(decryption), alg: 'RSA-OAEP-256', use: 'enc' }] },
    },
    configured: { decryptionKey: { pem: pemOf(decryption), keyId: decryption.kid } },
    isPushed: true,
  },
  {
    name: 'an ID token that is encrypted with ECDH-ES',
    registered: {
      client_secret: secret,
      id_token_encrypted_response_alg: 'ECDH-ES',
      id_token_encrypted_response_enc: 'A128CBC-HS256',
      jwks: { keys: [{ ...jwkOf(assertion), alg: 'ECDH-ES', use: 'enc' }] },
    },
    configured: { decryptionKey: { pem: pemOf(assertion), keyId: assertion.kid } },
    isPushed: true,
  },
] as const;

describe('an independent provider', () => {
  test.each(ways)('accepts a login by $name', async ({ registered, configured, isPushed }) => {
    const { provider, driver, begin } = await scene(registered, configured as Partial<OidcOptions>);
    expect((await driver.check(environment)).filter(({ isOk }) => !isOk)).toEqual([]);
    const { state, page } = await begin();
    expect(provider.paths.includes('/request')).toBe(isPushed);
    expect(await driver.poll(state, environment)).toMatchObject({ status: 'pending' });
    const url = await provider.browse(page);
    expect(url.searchParams.get('iss')).toBe(provider.issuer);
    const next = (await driver.callback?.(state, url, environment)) as EidState;
    const answer = await driver.poll(next, environment);
    expect(answer).toMatchObject({
      status: 'complete',
      identity: {
        ssn: '1201603389',
        name: person.name,
        country: 'IS',
        subject: person.sub,
        assurance: 'substantial',
        birthDate: '1960-01-12',
      },
    });
    if (answer.status !== 'complete') return;
    const [key] = (JSON.parse(answer.evidence.keys ?? '') as { keys: object[] }).keys;
    const publicKey = createPublicKey({ key: key as never, format: 'jwk' });
    expect(verifiedClaims(answer.evidence.data, publicKey)).toMatchObject({ sub: person.sub });
    expect(await driver.poll(next, environment)).toMatchObject({
      status: 'failed',
      providerCode: 'invalid_grant',
    });
  });

  test('reports that the person declined', async () => {
    const { provider, driver, begin } = await scene({ client_secret: secret }, {});
    provider.agrees = false;
    const { state, page } = await begin();
    const next = await driver.callback?.(state, await provider.browse(page), environment);
    expect(await driver.poll(next ?? {}, environment)).toEqual({
      status: 'failed',
      code: 'userCancel',
      providerCode: 'user_aborted',
    });
  });

  test('rejects a code with the code verifier of another session', async () => {
    const { provider, driver, begin } = await scene({ client_secret: secret }, {});
    const victim = await begin();
    const attacker = await begin();
    const url = await provider.browse(attacker.page);
    url.searchParams.set('state', `${victim.state['state']}`);
    const next = await driver.callback?.(victim.state, url, environment);
    expect(await driver.poll(next ?? {}, environment)).toMatchObject({
      status: 'failed',
      providerCode: 'invalid_grant',
    });
  });

  test('rejects a different secret at the start', async () => {
    const wrong = {
      clientAuthentication: { method: 'client_secret_basic', secret: 'no' },
    } as const;
    const { begin } = await scene({ client_secret: secret }, wrong);
    const error = await begin().catch((given: unknown) => given);
    expect(error).toMatchObject({ code: 'internalError' });
  });

  test('yields no assurance level that was not reached', async () => {
    const { provider, driver } = await scene({ client_secret: secret }, {});
    const request = { ...login, minAssurance: 'high' } as const;
    const { state, challenge } = await driver.start(request, environment);
    const url = await provider.browse(challenge.redirectUrl ?? '');
    const next = await driver.callback?.(state, url, environment);
    expect(await driver.poll(next ?? {}, environment)).toEqual({
      status: 'failed',
      code: 'assuranceTooLow',
    });
  });
});
