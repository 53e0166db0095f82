import { describe, expect, test } from 'vitest';
import { nebCibaDriver, type OidcOptions } from '../../../../src/adapters/eid/oidc/index.ts';
import type { EidEnvironment, EidFailCode, EidRequest } from '../../../../src/app/ports/index.ts';
import { type DriverBench, describeDriver } from '../../../support/eid/driver-contract.ts';
import { NebCibaServer } from '../../../support/eid/neb-ciba-server.ts';
import {
  clientId,
  clientSecret,
  errorOf,
  issuer,
  keyNamed,
  login,
  oidcBench,
} from '../../../support/eid/oidc/oidc-bench.ts';
import { hmacJwt, unsignedJwt } from '../../../support/eid/oidc/oidc-tokens.ts';

const person = {
  sub: '5cb6c9e2',
  loa: 'https://data.gov.dk/concept/core/nsis/Substantial',
  'mitid.uuid': '74ffcd31-fbaf-4c33-bdac-169f25c1e416',
  'mitid.identity_name': 'Ditlev Von Testesen',
  'dk.cpr': '070761-4285',
};

interface Scene extends DriverBench {
  readonly server: NebCibaServer;
}

const outcomes: Partial<Record<EidFailCode, string>> = {
  userCancel: 'access_denied',
  startFailed: 'transaction_failed',
  expiredTransaction: 'expired_token',
  internalError: 'mitid_flex_app.mitid_error_unknown',
};

function scene(options: Partial<OidcOptions> = {}): Scene {
  let nowMs = Date.UTC(2026, 3, 1, 12);
  const server = new NebCibaServer({
    issuer,
    clientId,
    secret: clientSecret,
    keys: [keyNamed('one')],
    person,
    now: () => nowMs,
  });
  const environment: EidEnvironment = {
    ...oidcBench().environment,
    now: () => nowMs,
    http: async (request) => {
      const { status, headers, body } = server.handle(request);
      return { status, headers, body: Buffer.from(body) };
    },
  };
  return {
    server,
    environment,
    driver: nebCibaDriver({
      issuer,
      clientId,
      clientAuthentication: { method: 'client_secret_basic', secret: clientSecret },
      ...options,
    }),
    advance: (ms) => {
      nowMs += ms;
    },
    approve: () => {
      server.order.outcome = 'approved';
    },
    fail: (code) => {
      const isBusy = code === 'providerUnavailable';
      const begun = server.log.some(({ url }) => url.endsWith('/connect/ciba'));
      const error = code === 'notAUser' ? 'unknown_user_id' : 'unauthorized_client';
      if (!begun) {
        server.answer = (path) =>
          path === '/connect/ciba'
            ? {
                status: isBusy ? 503 : 400,
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify({ error }),
              }
            : undefined;
        return;
      }
      server.order.outcome = outcomes[code] ?? 'approved';
      if (code === 'assuranceTooLow') server.person = { ...person, loa: 'unknown' };
    },
    requestCount: () => server.log.length,
    secrets: () => [clientSecret, person['dk.cpr'], '0707614285'],
  };
}

const changed = (changes: object) => (bench: DriverBench) => {
  (bench as Scene).server.claims = (claims) => ({ ...claims, ...changes });
};

const seconds = Date.UTC(2026, 3, 1, 12) / 1000;

describeDriver({
  name: 'neb-ciba',
  namesNobodySigned: true,
  open: () => scene(),
  request: login,
  person: { ssn: '0707614285', name: person['mitid.identity_name'] },
  failures: [
    { code: 'providerUnavailable', at: 'start' },
    { code: 'internalError', at: 'start' },
    { code: 'notAUser', at: 'start' },
    { code: 'userCancel', at: 'poll' },
    { code: 'startFailed', at: 'poll' },
    { code: 'expiredTransaction', at: 'poll' },
    { code: 'internalError', at: 'poll' },
    { code: 'assuranceTooLow', at: 'poll' },
  ],
  // Token and userinfo.
  completionRequests: 2,
  hostile: [
    { name: 'another audience', arrange: changed({ aud: 'another' }) },
    { name: 'another issuer', arrange: changed({ iss: 'https://evil.example' }) },
    { name: 'another authorised party', arrange: changed({ azp: 'another' }) },
    { name: 'an expired ID token', arrange: changed({ exp: seconds - 600 }) },
    { name: 'an ID token of last week', arrange: changed({ iat: seconds - 604_800 }) },
    { name: 'a login of before', arrange: changed({ auth_time: seconds - 3_600 }) },
    { name: 'the hash of another token', arrange: changed({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }) },
    {
      name: 'alg none',
      arrange: (bench) => {
        (bench as Scene).server.token = (_, claims) => unsignedJwt(claims);
      },
    },
    {
      name: 'HMAC with the secret of the client',
      arrange: (bench) => {
        (bench as Scene).server.token = (_, claims) => hmacJwt(claims, 'one', clientSecret);
      },
    },
    {
      name: 'a signature of another key',
      arrange: (bench) => {
        (bench as Scene).server.keys = [{ ...keyNamed('foreign'), kid: 'one' }];
      },
    },
  ],
});

describe('the CIBA backchannel of Nets eID Broker', () => {
  test('gets a JSON login hint and shows its page as a link or QR code', async () => {
    const { driver, environment, server } = scene();
    const request: EidRequest = { ...login, text: 'Log ind', language: 'da' };
    const { challenge, pollingMs } = await driver.start(request, environment);
    expect(server.order.hint).toEqual({
      flow_type: 'broker_oidc',
      prompt: 'login',
      language: 'da',
      idp_values: 'mitid',
      idp_params: {
        mitid: {
          reference_text: Buffer.from('Log ind').toString('base64'),
          loa_value: 'substantial',
          action_text: 'LOG_ON',
        },
      },
    });
    expect(challenge).toEqual({ redirectUrl: expect.stringContaining(`${issuer}/connect/`) });
    expect(pollingMs).toBe(3_000);
    const code = await driver.start({ ...request, channel: 'DeviceLink' }, environment);
    expect(code.challenge.qrData).toBe(code.challenge.sameDeviceLink);
  });

  test('slows the session down permanently after slow_down', async () => {
    const { driver, environment, advance } = scene();
    const { state } = await driver.start(login, environment);
    const first = await driver.poll(state, environment);
    expect(first).toMatchObject({ status: 'pending', pollingMs: 3_000 });
    advance(1_000);
    const second = await driver.poll(state, environment);
    expect(second).toMatchObject({ status: 'pending', pollingMs: 8_000 });
    advance(8_000);
    const kept = (second as { state?: object }).state as never;
    expect(await driver.poll(kept, environment)).toMatchObject({ pollingMs: 8_000 });
  });

  test('issues tokens once', async () => {
    const bench = scene();
    const { state } = await bench.driver.start(login, bench.environment);
    await bench.approve();
    bench.advance(5_000);
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'complete' });
    bench.advance(5_000);
    expect(await bench.driver.poll(state, bench.environment)).toEqual({
      status: 'failed',
      code: 'expiredTransaction',
      providerCode: 'invalid_grant',
    });
  });

  test('keeps the tokens while userinfo is unavailable', async () => {
    const bench = scene();
    const { state } = await bench.driver.start(login, bench.environment);
    await bench.approve();
    bench.advance(5_000);
    bench.server.answer = (path) =>
      path.endsWith('userinfo') ? { status: 503, headers: {}, body: '' } : undefined;
    const waiting = await bench.driver.poll(state, bench.environment);
    bench.server.answer = () => undefined;
    const kept = (waiting as { state?: object }).state as never;
    expect(await bench.driver.poll(kept, bench.environment)).toMatchObject({ status: 'complete' });
  });

  test('is notified when a session is cancelled', async () => {
    const { driver, environment, server, advance } = scene();
    const { state } = await driver.start(login, environment);
    await driver.cancel(state, environment);
    expect(server.log.at(-1)?.method).toBe('DELETE');
    advance(5_000);
    expect(await driver.poll(state, environment)).toMatchObject({ code: 'userCancel' });
  });

  test.each([
    ['no page', {}],
    ['a page without TLS', { authentication_uri: 'http://broker.example/' }],
    ['a script', { authentication_uri: 'javascript:alert(1)' }],
    ['a long page', { authentication_uri: `https://broker.example/${'a'.repeat(5_000)}` }],
  ])('is rejected with %s', async (_, body) => {
    const { driver, environment, server } = scene();
    server.answer = (path) =>
      path.endsWith('init-auth')
        ? { status: 200, headers: {}, body: JSON.stringify(body) }
        : undefined;
    const error = await errorOf(driver.start(login, environment));
    expect(error).toMatchObject({ code: 'invalidResponse' });
  });

  test.each([
    ['a signature', { purpose: 'sign' }],
    ['a phone', { channel: 'Sim' }],
  ] as const)('offers no session for %s', async (_, changes) => {
    const { driver, environment } = scene();
    const error = await errorOf(driver.start({ ...login, ...changes }, environment));
    expect(error).toMatchObject({ code: 'internalError' });
  });
});
