import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EidPoll } from '../../../../src/app/ports/index.ts';
import {
  clientId,
  errorOf,
  issuer,
  keyNamed,
  login,
  type OidcBench,
  oidcBench,
  person,
} from '../../../support/eid/oidc/oidc-bench.ts';
import {
  type Claims,
  encryptedJwt,
  type JoseKey,
  pemOf,
  signedJwt,
  unsignedJwt,
  verifiedClaims,
} from '../../../support/eid/oidc/oidc-tokens.ts';

const paths = ({ server }: OidcBench) =>
  server.log.map(({ url }) => url.slice(url.lastIndexOf('/')));

/** The claims of the evidence, read without any other knowledge. */
function readEvidence(answer: EidPoll) {
  if (answer.status !== 'complete') throw new Error(`the session is ${answer.status}`);
  const { data, keys = '' } = answer.evidence;
  const [jwk, ...others] = (JSON.parse(keys) as { keys: object[] }).keys;
  expect(others).toEqual([]);
  return verifiedClaims(data, createPublicKey({ key: jwk as never, format: 'jwk' }));
}

describe('evidence', () => {
  test('verifies with its own keys after the provider has replaced them', async () => {
    const bench = oidcBench({}, { keys: [keyNamed('older', 'ES256'), keyNamed('one')] });
    const answer = await bench.driver.poll(await bench.approved(), bench.environment);
    bench.server.keys = [keyNamed('two')];
    expect(readEvidence(answer)).toMatchObject({ sub: person.sub, loa: 'substantial' });
  });

  test('of an encrypted token is the signed token inside', async () => {
    const decryption = keyNamed('decryption');
    const bench = oidcBench(
      { decryptionKey: { pem: pemOf(decryption), keyId: 'decryption' } },
      { encryptTo: decryption },
    );
    const answer = await bench.driver.poll(await bench.approved(), bench.environment);
    expect(readEvidence(answer)).toMatchObject({ sub: person.sub });
  });
});

describe('encrypted tokens', () => {
  test('for the key of another recipient are rejected', async () => {
    const bench = oidcBench(
      { decryptionKey: { pem: pemOf(keyNamed('decryption')), keyId: 'decryption' } },
      {},
    );
    const state = await bench.approved();
    const other = { ...keyNamed('foreign'), kid: 'decryption' };
    bench.server.faults.token = (jwt) => encryptedJwt(jwt, other);
    expect(await bench.driver.poll(state, bench.environment)).toEqual({
      status: 'failed',
      code: 'invalidResponse',
    });
  });
});

describe('provider keys', () => {
  test('are fetched once for several logins, and again after five minutes', async () => {
    const bench = oidcBench();
    for (let login = 0; login < 3; login++) {
      await bench.driver.poll(await bench.approved(), bench.environment);
    }
    const count = () => paths(bench).filter((path) => path === '/jwks').length;
    expect(count()).toBe(1);
    bench.advance(301_000);
    await bench.driver.poll(await bench.approved(), bench.environment);
    expect(count()).toBe(2);
  });

  test('are fetched again under steady use, too', async () => {
    const bench = oidcBench();
    for (let login = 0; login < 4; login++) {
      await bench.driver.poll(await bench.approved(), bench.environment);
      bench.advance(200_000);
    }
    expect(paths(bench).filter((path) => path === '/jwks')).toHaveLength(2);
  });

  test('that are new are fetched when a token names them', async () => {
    const bench = oidcBench();
    await bench.driver.poll(await bench.approved(), bench.environment);
    bench.server.keys = [keyNamed('one'), keyNamed('two', 'ES256')];
    const answer = await bench.driver.poll(await bench.approved(), bench.environment);
    expect(readEvidence(answer)).toMatchObject({ sub: person.sub });
    expect(paths(bench).filter((path) => path === '/jwks')).toHaveLength(2);
  });

  test('changed under the same name fail one login only', async () => {
    const bench = oidcBench();
    await bench.driver.poll(await bench.approved(), bench.environment);
    bench.server.keys = [{ ...keyNamed('two'), kid: 'one' }];
    const first = await bench.driver.poll(await bench.approved(), bench.environment);
    expect(first).toEqual({ status: 'failed', code: 'invalidResponse' });
    const second = await bench.driver.poll(await bench.approved(), bench.environment);
    expect(second).toMatchObject({ status: 'complete' });
  });

  test('withdrawn by the provider are rejected once the cache expires', async () => {
    const bench = oidcBench();
    await bench.driver.poll(await bench.approved(), bench.environment);
    bench.server.keys = [keyNamed('two')];
    bench.advance(301_000);
    const state = await bench.approved();
    bench.server.faults.signingKey = keyNamed('one');
    expect(await bench.driver.poll(state, bench.environment)).toEqual({
      status: 'failed',
      code: 'invalidResponse',
    });
  });

  test('that are temporarily unavailable do not use up the code', async () => {
    const bench = oidcBench();
    const state = await bench.approved();
    let isDown = true;
    bench.server.faults.answer = (path) =>
      path === '/jwks' && isDown ? { status: 503, headers: {}, body: '' } : undefined;
    const error = await errorOf(bench.driver.poll(state, bench.environment));
    expect(error).toMatchObject({ code: 'providerUnavailable' });
    isDown = false;
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'complete' });
  });

  test('are fetched by another instance that resumes the session', async () => {
    const bench = oidcBench();
    const state = await bench.approved();
    const fresh = oidcBench({}, {});
    const answer = await fresh.driver.poll(state, bench.environment);
    expect(answer).toMatchObject({ status: 'complete' });
  });
});

describe('userinfo', () => {
  test('that is unavailable keeps the session open, without redeeming the code again', async () => {
    const bench = oidcBench();
    const state = await bench.approved();
    let isDown = true;
    bench.server.faults.answer = (path) =>
      path === '/userinfo' && isDown ? { status: 502, headers: {}, body: '' } : undefined;
    const waiting = await bench.driver.poll(state, bench.environment);
    expect(waiting).toMatchObject({ status: 'pending' });
    expect(JSON.stringify({ ...waiting, state: undefined })).not.toContain(person.name);
    const kept = JSON.parse(JSON.stringify((waiting as { state?: object }).state));
    const again = await errorOf(bench.driver.poll(kept, bench.environment));
    expect(again).toMatchObject({ code: 'providerUnavailable' });
    isDown = false;
    const answer = await bench.driver.poll(kept, bench.environment);
    expect(answer).toMatchObject({ status: 'complete', identity: { ssn: '1201603389' } });
    expect(paths(bench).filter((path) => path === '/token')).toHaveLength(1);
  });

  const signed = (key: JoseKey, claims: Claims) => ({
    status: 200,
    headers: { 'content-type': 'application/jwt' },
    body: signedJwt(key, claims),
  });

  test.each([
    ['of the provider', signed(keyNamed('one'), { ...person, iss: issuer, aud: clientId }), true],
    ['of another key', signed({ ...keyNamed('foreign'), kid: 'one' }, person), false],
    ['for another client', signed(keyNamed('one'), { ...person, aud: 'another' }), false],
    ['of another issuer', signed(keyNamed('one'), { ...person, iss: 'https://evil' }), false],
    ['without a signature', { ...signed(keyNamed('one'), {}), body: unsignedJwt(person) }, false],
  ])('that is signed, %s', async (_, answer, isGood) => {
    const bench = oidcBench({}, { metadata: { userinfo_signing_alg_values_supported: ['RS256'] } });
    const state = await bench.approved();
    bench.server.faults.answer = (path) => (path === '/userinfo' ? answer : undefined);
    const expected = isGood
      ? { status: 'complete' }
      : { status: 'failed', code: 'invalidResponse' };
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject(expected);
  });

  test('does not override the ID token', async () => {
    const bench = oidcBench();
    const state = await bench.approved();
    bench.server.faults.claims = (claims) => ({ ...claims, loa: 'low' });
    bench.server.faults.userinfo = (claims) => ({ ...claims, loa: 'high' });
    expect(await bench.driver.poll(state, bench.environment)).toEqual({
      status: 'failed',
      code: 'assuranceTooLow',
    });
  });
});

describe('a response that is valid except for deep nesting in an unused member', () => {
  test.each(['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'])(
    'is rejected at %s',
    async (where) => {
      const bench = oidcBench();
      const state = await bench.approved();
      const fresh = oidcBench();
      const handle = (depth: number) => {
        bench.server.faults.answer = (path, request) => {
          if (path !== where) return undefined;
          const { answer } = bench.server.faults;
          delete bench.server.faults.answer;
          const right = bench.server.handle(request);
          if (answer !== undefined) bench.server.faults.answer = answer;
          const deep = `{"deep":${'['.repeat(depth)}${']'.repeat(depth)},`;
          return { ...right, body: right.body.replace('{', deep) };
        };
      };
      handle(100_000);
      const answer = await fresh.driver.poll(state, bench.environment);
      expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
      handle(20);
      const again = await fresh.driver.poll(await bench.approved(), bench.environment);
      expect(again).toMatchObject({ status: 'complete' });
    },
  );
});

describe('clocks that differ by two minutes', () => {
  test.each([-119, 119])('do not fail a login: %i s', async (seconds) => {
    const bench = oidcBench({ overrides: { parameters: {} } });
    const state = await bench.approved();
    bench.server.faults.claims = (claims) => {
      const { iat, auth_time: at } = claims as { iat: number; auth_time: number };
      return { ...claims, iat: iat + seconds, auth_time: at + seconds, exp: iat + seconds + 60 };
    };
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'complete' });
  });
});

/** Tested positions of the text: the ends of header and signature completely, and every n-th. */
function positions(length: number, step: number): number[] {
  return Array.from({ length }, (_, at) => at).filter((at) => at % step === 0);
}

test('an ID token with any changed character yields no identity', async () => {
  const bench = oidcBench({}, { keys: [keyNamed('small', 'ES256')] });
  let token = '';
  bench.server.faults.token = (jwt) => {
    token = jwt;
    return jwt;
  };
  await bench.driver.poll(await bench.approved(), bench.environment);
  const tried = positions(token.length, 7);
  expect(tried.length).toBeGreaterThan(60);
  for (const at of tried) {
    const state = await bench.approved();
    bench.server.faults.token = (jwt) => {
      const other = jwt[at] === '.' ? 'A' : jwt[at] === 'A' ? 'Q' : 'A';
      return jwt.slice(0, at) + other + jwt.slice(at + 1);
    };
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer.status, `character ${at}`).toBe('failed');
  }
});

test('a login without a required level accepts any level', async () => {
  const bench = oidcBench();
  const { minAssurance: _, ...any } = login;
  const { state, challenge } = await bench.driver.start(any, bench.environment);
  bench.server.visit(challenge.redirectUrl ?? '');
  bench.server.person = { ...person, loa: 'no level at all' };
  const next = await bench.driver.callback?.(state, bench.server.approve(), bench.environment);
  expect(await bench.driver.poll(next ?? {}, bench.environment)).toMatchObject({
    status: 'complete',
    identity: { assurance: 'unknown' },
  });
});
