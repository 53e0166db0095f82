import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OidcOptions } from '../../../../src/adapters/eid/oidc/index.ts';
import type { EidEnvironment } from '../../../../src/app/ports/index.ts';
import {
  clientSecret,
  errorOf,
  keyNamed,
  login,
  oidcBench,
} from '../../../support/eid/oidc/oidc-bench.ts';
import { hmacJwt, pemOf } from '../../../support/eid/oidc/oidc-tokens.ts';
import type { OidcServerOptions } from '../../../support/eid/oidc-server.ts';

type Ways = readonly (readonly [
  name: string,
  options: Partial<OidcOptions>,
  server: Partial<OidcServerOptions>,
])[];

const client = keyNamed('client', 'ES256');
const noSecret = { secret: undefined as never };
const pushed = (pushedRequests: 'offered' | 'required' | 'never') => ({
  overrides: { pushedRequests },
});

const ways: Ways = [
  ['a secret by HTTP Basic', {}, {}],
  [
    'a secret in the body',
    { clientAuthentication: { method: 'client_secret_post', secret: clientSecret } },
    { secret: { value: clientSecret, way: 'post' } },
  ],
  [
    'an assertion of an EC key',
    { clientAuthentication: { method: 'private_key_jwt', pem: pemOf(client), keyId: 'client' } },
    { ...noSecret, assertionKey: client.publicKey },
  ],
  [
    'an assertion of an RSA key',
    { clientAuthentication: { method: 'private_key_jwt', pem: pemOf(keyNamed('request')) } },
    { ...noSecret, assertionKey: keyNamed('request').publicKey },
  ],
  ['a TLS client certificate', { clientAuthentication: { method: 'tls_client_auth' } }, noSecret],
  ['required pushed requests', pushed('never'), { pushed: 'required' }],
  ['no pushed requests', pushed('never'), {}],
  ['no endpoint for pushed requests', {}, { pushed: 'none' }],
  [
    'a signed request object in the URL',
    { requestObjectKey: { pem: pemOf(client), keyId: 'client' } },
    { requestKey: client.publicKey, pushed: 'none' },
  ],
  [
    'a pushed signed request object',
    { requestObjectKey: { pem: pemOf(client), keyId: 'client' } },
    { requestKey: client.publicKey, pushed: 'required' },
  ],
  [
    'a signed request object with JSON parameters',
    {
      requestObjectKey: { pem: pemOf(client), keyId: 'client' },
      overrides: {
        parameters: { idp_params: { mitid: { loa_value: '{level}' } } },
        jsonParameters: ['idp_params'],
      },
    },
    { requestKey: client.publicKey },
  ],
  ['ID tokens of an EC key', {}, { keys: [keyNamed('ec', 'ES256')] }],
];

describe('a login', () => {
  test.each(ways)('completes with %s', async (_, options, serverOptions) => {
    const bench = oidcBench(options, serverOptions);
    const answer = await bench.driver.poll(await bench.approved(), bench.environment);
    expect(answer).toMatchObject({ status: 'complete' });
    expect(bench.server.complaints).toEqual([]);
    const sent = JSON.stringify(bench.server.log);
    expect(sent).not.toContain('user-agent');
  });

  test.each(ways)(
    'discloses no client secret in the redirect: %s',
    async (_, options, serverOptions) => {
      const { driver, environment } = oidcBench(options, serverOptions);
      const { challenge } = await driver.start(login, environment);
      expect(challenge.redirectUrl).not.toContain(encodeURIComponent(clientSecret));
      expect(challenge.redirectUrl).not.toContain('client_assertion');
    },
  );
});

test('sends the TLS client certificate to the mtls_endpoint_aliases', async () => {
  const mtls = 'https://mtls.broker.example/op';
  const bench = oidcBench(
    { clientAuthentication: { method: 'tls_client_auth' } },
    {
      ...noSecret,
      metadata: {
        mtls_endpoint_aliases: {
          token_endpoint: `${mtls}/token`,
          pushed_authorization_request_endpoint: `${mtls}/par`,
          userinfo_endpoint: `${mtls}/userinfo`,
        },
      },
    },
  );
  const asked: string[] = [];
  const environment: EidEnvironment = {
    ...bench.environment,
    http: (request) => {
      asked.push(request.url);
      return bench.environment.http({
        ...request,
        url: request.url.replace(mtls, bench.options.issuer),
      });
    },
  };
  const { state, challenge } = await bench.driver.start(login, environment);
  bench.server.visit(challenge.redirectUrl ?? '');
  const next = await bench.driver.callback?.(state, bench.server.approve(), environment);
  expect(await bench.driver.poll(next ?? {}, environment)).toMatchObject({ status: 'complete' });
  expect(asked).toEqual(expect.arrayContaining([`${mtls}/par`, `${mtls}/token`]));
});

describe('invalid client authentication', () => {
  test.each([
    ['a secret', { clientAuthentication: { method: 'client_secret_basic', secret: 'wrong' } }, {}],
    [
      'a key',
      { clientAuthentication: { method: 'private_key_jwt', pem: pemOf(keyNamed('foreign')) } },
      { ...noSecret, assertionKey: client.publicKey },
    ],
    [
      'a key for request objects',
      { requestObjectKey: { pem: pemOf(keyNamed('foreign')) } },
      { requestKey: client.publicKey },
    ],
  ] as const satisfies Ways)('with %s fails at the start', async (_, options, serverOptions) => {
    const { driver, environment } = oidcBench(options, serverOptions);
    const error = await errorOf(driver.start(login, environment));
    expect(error).toMatchObject({ code: 'internalError' });
    expect(`${error}`).not.toContain(clientSecret);
  });

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const otherCurve = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

  test.each([
    ['no PEM key', { pem: 'SECRET' }],
    ['another algorithm', { pem: pemOf(client), algorithm: 'RS256' }],
    ['an unknown algorithm', { pem: pemOf(client), algorithm: 'HS256' }],
    ['an unsupported curve', { pem: otherCurve }],
  ])('with a key of %s fails without disclosing the key', async (_, key) => {
    const options: Partial<OidcOptions> = {
      clientAuthentication: { method: 'private_key_jwt', ...key },
    };
    const { driver, environment } = oidcBench(options);
    const error = await errorOf(driver.start(login, environment));
    expect(error).toMatchObject({ code: 'internalError' });
    expect(`${error}`).not.toMatch(/SECRET|BEGIN/);
    const findings = await driver.check(environment);
    expect(findings).toMatchObject([{ name: 'configuration', isOk: false }]);
  });
});

describe('provider metadata', () => {
  test.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['an issuer that is not a URL', { issuer: 'evil' }],
    ['a token endpoint without TLS', { token_endpoint: 'http://broker.example/op/token' }],
    ['keys without TLS', { jwks_uri: 'http://broker.example/op/jwks' }],
    ['a javascript: authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no authorization endpoint', { authorization_endpoint: undefined }],
    ['a numeric authorization endpoint', { authorization_endpoint: 1 }],
  ])('with %s is rejected', async (_, metadata) => {
    const { driver, environment } = oidcBench({}, { pushed: 'none', metadata });
    const error = await errorOf(driver.start(login, environment));
    expect(error).toMatchObject({ code: 'invalidResponse' });
    expect((await driver.check(environment)).every(({ isOk }) => isOk)).toBe(false);
  });

  test('of another issuer is rejected for every vendor', async () => {
    const vendor = 'https://tenant.b2clogin.com/op';
    const { driver, environment } = oidcBench(
      { issuer: vendor },
      { issuer: vendor, metadata: { issuer: 'https://evil.example' } },
    );
    const error = await errorOf(driver.start(login, environment));
    expect(error).toMatchObject({ code: 'invalidResponse' });
  });

  test.each([
    ['token_endpoint', {}],
    ['token_endpoint', { clientAuthentication: { method: 'tls_client_auth' } }],
  ] as const)('of a loopback issuer must not point to other hosts: %s', async (name, options) => {
    const local = 'http://127.0.0.1:1/op';
    const elsewhere = { [name]: 'http://broker.example/token' };
    const isAlias = 'clientAuthentication' in options;
    const { driver, environment, server, approved } = oidcBench(
      { issuer: local, ...options },
      {
        issuer: local,
        metadata: isAlias ? { mtls_endpoint_aliases: elsewhere } : elsewhere,
        ...(isAlias ? noSecret : {}),
      },
    );
    const outcome = await approved().then(
      (state) => driver.poll(state, environment),
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ code: 'invalidResponse' });
    expect(server.log.map(({ url }) => url)).not.toContain('http://broker.example/token');
  });

  test.each([
    ['no address', 'broker'],
    ['no TLS', 'http://broker.example/op'],
    ['another scheme', 'ftp://broker.example/op'],
  ])('is not requested from an issuer with %s', async (_, wrong) => {
    const { driver, environment, server } = oidcBench({ issuer: wrong });
    expect(await errorOf(driver.start(login, environment))).toMatchObject({
      code: 'internalError',
    });
    expect(server.log).toEqual([]);
  });

  test('is requested again after ten minutes, and when the clock was set back', async () => {
    const bench = oidcBench();
    const count = () => bench.server.log.filter(({ url }) => url.includes('well-known')).length;
    await bench.begin();
    await bench.begin();
    expect(count()).toBe(1);
    bench.advance(601_000);
    await bench.begin();
    expect(count()).toBe(2);
    bench.advance(-601_000);
    await bench.begin();
    expect(count()).toBe(3);
  });
});

describe('accepted algorithms of ID tokens', () => {
  test.each([
    ['are those of the configuration', ['ES256'], ['RS256', 'ES256']],
    ['are those that the provider announces', undefined, ['ES256']],
    ['are none if nothing is left', ['PS512'], ['RS256']],
  ])('%s', async (_, idTokenAlgorithms, announced) => {
    const bench = oidcBench(idTokenAlgorithms === undefined ? {} : { idTokenAlgorithms }, {
      metadata: { id_token_signing_alg_values_supported: announced },
    });
    expect(await bench.driver.poll(await bench.approved(), bench.environment)).toEqual({
      status: 'failed',
      code: 'invalidResponse',
    });
  });
});

describe('an ID token with HMAC', () => {
  test.each([
    ['the secret of the client', clientSecret],
    ['the public key', keyNamed('one').publicKey.export({ format: 'pem', type: 'spki' })],
  ])('keyed with %s is rejected in any configuration', async (_, secret) => {
    const metadata = { id_token_signing_alg_values_supported: ['HS256'] };
    const bench = oidcBench({ idTokenAlgorithms: ['HS256', 'RS256'] }, { metadata });
    const state = await bench.approved();
    bench.server.faults.token = (_jwt, claims) => hmacJwt(claims, 'one', secret);
    expect(await bench.driver.poll(state, bench.environment)).toEqual({
      status: 'failed',
      code: 'invalidResponse',
    });
  });
});

describe('findings', () => {
  const names = async (options: Partial<OidcOptions>, server: Partial<OidcServerOptions>) => {
    const { driver, environment } = oidcBench(options, server);
    const findings = await driver.check(environment);
    return findings.filter(({ isOk }) => !isOk).map(({ name }) => name);
  };

  test.each([
    ['no problem', {}, {}, []],
    ['no PKCE', {}, { metadata: { code_challenge_methods_supported: ['plain'] } }, ['pkce']],
    [
      'no usable algorithm',
      {},
      { metadata: { id_token_signing_alg_values_supported: ['HS256'] } },
      ['algorithms'],
    ],
    [
      'no pushed requests',
      { overrides: { pushedRequests: 'required' } },
      { pushed: 'none' },
      ['pushed requests'],
    ],
    ['no userinfo', {}, { metadata: { userinfo_endpoint: undefined } }, ['userinfo']],
    ['no keys', {}, { keys: [] as never }, ['keys']],
    ['no client', { clientId: '' }, {}, ['configuration']],
  ] as const)('report %s', async (_, options, server, expected) => {
    expect(await names(options as Partial<OidcOptions>, server)).toEqual(expected);
  });

  test.each([
    [0, []],
    [119_000, []],
    [-180_000, ['clock']],
    [3_600_000, ['clock']],
  ])('compare the clocks: %i ms', async (offsetMs, expected) => {
    const { driver, environment } = oidcBench();
    const dated: EidEnvironment = {
      ...environment,
      http: async (request) => {
        const answer = await environment.http(request);
        const date = new Date(environment.now() + offsetMs).toUTCString();
        return { ...answer, headers: { ...answer.headers, date } };
      },
    };
    const findings = await driver.check(dated);
    expect(findings.filter(({ isOk }) => !isOk).map(({ name }) => name)).toEqual(expected);
    expect(findings.map(({ name }) => name)).toContain('clock');
  });

  test('report that the provider does not respond', async () => {
    const { driver, environment, server } = oidcBench();
    server.faults.answer = () => ({ status: 503, headers: {}, body: '' });
    const findings = await driver.check(environment);
    expect(findings.at(-1)).toMatchObject({ name: 'reachable', isOk: false });
  });
});
