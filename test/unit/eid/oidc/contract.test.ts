import type { OidcOptions } from '../../../../src/adapters/eid/oidc/index.ts';
import {
  type EidDriver,
  EidError,
  type EidFailCode,
  type EidPoll,
} from '../../../../src/app/ports/index.ts';
import {
  type DriverBench,
  type DriverContract,
  describeDriver,
} from '../../../support/eid/driver-contract.ts';
import {
  clientSecret,
  keyNamed,
  login,
  type OidcBench,
  oidcBench,
  person,
} from '../../../support/eid/oidc/oidc-bench.ts';
import { hmacJwt, jwkOf, pemOf, unsignedJwt } from '../../../support/eid/oidc/oidc-tokens.ts';
import type { OidcServerOptions, ServerAnswer } from '../../../support/eid/oidc-server.ts';

interface Scene extends DriverBench {
  readonly oidc: OidcBench;
}

const answered = (status: number, value: unknown): ServerAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** How each failure of the broker is caused: by the return address or by a response. */
const denials: Partial<Record<EidFailCode, readonly [error: string, description?: string]>> = {
  userCancel: ['access_denied', 'mitid_user_aborted'],
  startFailed: ['login_required'],
  providerUnavailable: ['temporarily_unavailable'],
  internalError: ['invalid_scope', 'a sentence with spaces & <signs>'],
};

/**
 * The test bench of the suite. Its driver does before the next poll what the use case does when the
 * person returns.
 */
function scene(options: Partial<OidcOptions>, serverOptions: Partial<OidcServerOptions>): Scene {
  const oidc = oidcBench(options, serverOptions);
  const { server, environment } = oidc;
  let page: string | undefined;
  let returned: URL | undefined;
  const driver: EidDriver = {
    ...oidc.driver,
    start: async (request, given) => {
      const started = await oidc.driver.start(request, given);
      page = started.challenge.redirectUrl ?? '';
      return started;
    },
    poll: async (state, given): Promise<EidPoll> => {
      if (returned === undefined || 'answer' in state) return oidc.driver.poll(state, given);
      try {
        return await oidc.driver.poll(
          (await oidc.driver.callback?.(state, returned, given)) ?? state,
          given,
        );
      } catch (error) {
        if (!(error instanceof EidError) || error.code === 'providerUnavailable') throw error;
        return { status: 'failed', code: error.code };
      }
    },
  };
  const come = (how: () => URL) => {
    server.visit(page ?? '');
    returned = how();
  };
  return {
    oidc,
    driver,
    environment,
    advance: oidc.advance,
    approve: () => come(() => server.approve()),
    fail: (code) => {
      if (page === undefined) {
        const isBusy = code === 'providerUnavailable';
        const answer = isBusy ? answered(503, {}) : answered(400, { error: 'invalid_request' });
        server.faults.answer = (path) => (isBusy || path === '/par' ? answer : undefined);
        return;
      }
      const denial = denials[code];
      if (denial !== undefined) return come(() => server.deny(...denial));
      come(() => server.approve());
      if (code === 'expiredTransaction') oidc.advance(61_000);
      if (code === 'assuranceTooLow') server.person = { ...server.person, loa: 'low' };
    },
    requestCount: () => server.log.length,
    secrets: () => [clientSecret, person.national_id, '1201603389'],
  };
}

const server = (bench: DriverBench) => (bench as Scene).oidc.server;

/** Changes the claims of the next ID token. */
const claims = (changes: Record<string, unknown>) => (bench: DriverBench) => {
  server(bench).faults.claims = (given) => ({ ...given, ...changes });
};

const seconds = Date.UTC(2026, 3, 1, 12) / 1000;

const hostile: DriverContract['hostile'] = [
  { name: 'another nonce', arrange: claims({ nonce: 'of-another-session-entirely' }) },
  { name: 'no nonce', arrange: claims({ nonce: undefined }) },
  { name: 'another audience', arrange: claims({ aud: 'another client' }) },
  { name: 'an audience beside ours', arrange: claims({ aud: ['client one', 'another'] }) },
  { name: 'another authorised party', arrange: claims({ azp: 'another' }) },
  { name: 'another issuer', arrange: claims({ iss: 'https://broker.example/other' }) },
  { name: 'an expired ID token', arrange: claims({ exp: seconds - 600 }) },
  { name: 'an ID token without an end', arrange: claims({ exp: undefined }) },
  { name: 'an ID token from the future', arrange: claims({ iat: seconds + 3_600 }) },
  { name: 'an ID token of last week', arrange: claims({ iat: seconds - 604_800 }) },
  { name: 'a login of before the session', arrange: claims({ auth_time: seconds - 3_600 }) },
  {
    name: 'the hash of another access token',
    arrange: claims({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  },
  { name: 'no subject', arrange: claims({ sub: undefined }) },
  { name: 'a subject that is no text', arrange: claims({ sub: 7 }) },
  {
    name: 'alg none',
    arrange: (bench) => {
      server(bench).faults.token = (_, given) => unsignedJwt(given);
    },
  },
  ...['pem', 'jwk'].map((form) => ({
    name: `HS256 with the public key as ${form}`,
    arrange: (bench: DriverBench) => {
      const key = keyNamed('one');
      const secret =
        form === 'jwk'
          ? JSON.stringify(jwkOf(key))
          : key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
      server(bench).faults.token = (_, given) => hmacJwt(given, key.kid, secret);
    },
  })),
  {
    name: 'a signature of another key with the same kid',
    arrange: (bench) => {
      server(bench).faults.signingKey = { ...keyNamed('foreign'), kid: 'one' };
    },
  },
  {
    name: 'a key that the token brings along',
    arrange: (bench) => {
      const foreign = keyNamed('foreign');
      server(bench).faults.signingKey = foreign;
      server(bench).faults.header = { jwk: jwkOf(foreign), jku: 'https://evil.example/jwks' };
    },
  },
  {
    name: 'a critical header that nobody knows',
    arrange: (bench) => {
      server(bench).faults.header = { crit: ['exp'] };
    },
  },
  {
    name: 'an encrypted token without a key for it',
    arrange: (bench) => {
      server(bench).faults.token = () => 'a.b.c.d.e';
    },
  },
  {
    name: 'userinfo of another person',
    arrange: (bench) => {
      server(bench).faults.userinfo = (given) => ({ ...given, sub: 'somebody else' });
    },
  },
  ...(
    [
      ['a redirect', { status: 302, headers: { location: 'https://evil.example/' }, body: '' }],
      ['a body of 2 MiB', answered(200, 'x'.repeat(2_097_152))],
      ['nesting of 100 levels', answered(200, JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`))],
      [
        'a token that is not text',
        answered(200, { access_token: 'a', token_type: 'Bearer', id_token: 1 }),
      ],
      ['no ID token', answered(200, { access_token: 'a', token_type: 'Bearer' })],
    ] as const
  ).map(([name, answer]) => ({
    name: `${name} at the token endpoint`,
    arrange: (bench: DriverBench) => {
      server(bench).faults.answer = (path) => (path === '/token' ? answer : undefined);
    },
  })),
  {
    name: 'keys that are no JWK Set',
    arrange: (bench) => {
      server(bench).faults.answer = (path) =>
        path === '/jwks' ? answered(200, { keys: [null] }) : undefined;
    },
  },
  {
    name: 'a token for credentials that are not accepted',
    arrange: (bench) => {
      server(bench).faults.answer = (path) =>
        path === '/token' ? answered(401, { error: 'invalid_client' }) : undefined;
    },
    code: 'internalError',
  },
];

const failures: DriverContract['failures'] = [
  { code: 'providerUnavailable', at: 'start' },
  { code: 'internalError', at: 'start' },
  { code: 'userCancel', at: 'poll' },
  { code: 'startFailed', at: 'poll' },
  { code: 'expiredTransaction', at: 'poll' },
  { code: 'providerUnavailable', at: 'poll' },
  { code: 'assuranceTooLow', at: 'poll' },
  { code: 'internalError', at: 'poll' },
];

describeDriver({
  name: 'oidc, generic',
  open: () => scene({ overrides: { failures: { mitid_user_aborted: 'userCancel' } } }, {}),
  request: login,
  person: { ssn: '1201603389', name: person.name },
  failures,
  // Provider keys, token and userinfo.
  completionRequests: 3,
  asksAfterReturn: true,
  hostile,
});

/** Client keys shared by all scenes, since the driver reads each key once. */
const clientKeys = {
  clientAuthentication: {
    method: 'private_key_jwt',
    pem: pemOf(keyNamed('client', 'ES256')),
    keyId: 'client',
  },
  requestObjectKey: { pem: pemOf(keyNamed('request')), keyId: 'request' },
  decryptionKey: { pem: pemOf(keyNamed('decryption')), keyId: 'decryption' },
} as const;

describeDriver({
  name: 'oidc, signed and encrypted',
  open: () =>
    scene(clientKeys, {
      assertionKey: keyNamed('client', 'ES256').publicKey,
      requestKey: keyNamed('request').publicKey,
      encryptTo: keyNamed('decryption'),
      pushed: 'required',
    }),
  request: login,
  person: { ssn: '1201603389', name: person.name },
  failures,
  completionRequests: 3,
  asksAfterReturn: true,
  hostile: hostile.filter(({ name }) => !name.startsWith('an encrypted token')),
});
