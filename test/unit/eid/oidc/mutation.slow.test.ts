import { expect, test } from 'vitest';
import { keyNamed, oidcBench } from '../../../support/eid/oidc/oidc-bench.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A character that differs in the highest of its six bits, so never only in unused bits. */
function flipped(character: string): string {
  return alphabet[alphabet.indexOf(character) ^ 32] ?? 'A';
}

test('an ID token with any one character changed yields no identity', async () => {
  const bench = oidcBench({}, { keys: [keyNamed('small', 'ES256')] });
  let length = 0;
  bench.server.faults.token = (jwt) => {
    length = jwt.length;
    return jwt;
  };
  expect(await bench.driver.poll(await bench.approved(), bench.environment)).toMatchObject({
    status: 'complete',
  });
  for (let at = 0; at < length; at++) {
    const state = await bench.approved();
    bench.server.faults.token = (jwt) => {
      return jwt.slice(0, at) + flipped(jwt[at] ?? '') + jwt.slice(at + 1);
    };
    const answer = await bench.driver.poll(state, bench.environment);
    expect(answer, `character ${at}`).toEqual({ status: 'failed', code: 'invalidResponse' });
  }
  expect(length).toBeGreaterThan(400);
});
