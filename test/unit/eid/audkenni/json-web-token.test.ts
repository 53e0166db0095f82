import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  signToken,
  type TokenAlgorithm,
  verifyToken,
} from '../../../../src/adapters/eid/audkenni/tokens/json-web-token.ts';
import { newKeyPair } from '../../../support/key-pairs.ts';

const rsa = newKeyPair('RSA-2048', 'token');
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-384' });

const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more });
const keysOf = (...keys: readonly object[]) => ({ keys });
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function token(alg: string, key: KeyObject, header: object = {}): string {
  const signed = [{ alg, ...header }, { sub: 'x' }].map(encoded).join('.');
  const options = {
    RS256: {},
    PS256: { padding: 6, saltLength: 32 },
    ES256: { dsaEncoding: 'ieee-p1363' },
  }[alg] as object;
  const value = sign('sha256', Buffer.from(signed), { key, ...options });
  return `${signed}.${value.toString('base64url')}`;
}

const all: readonly TokenAlgorithm[] = ['RS256', 'PS256', 'ES256'];

describe('JSON Web Tokens', () => {
  test.each([
    ['RS256', rsa],
    ['PS256', rsa],
    ['ES256', ec],
  ] as const)('signed with %s verify, if the algorithm is allowed', (alg, pair) => {
    const signed = token(alg, pair.privateKey);
    const keys = keysOf(jwk(rsa.publicKey), jwk(ec.publicKey));
    expect(verifyToken(signed, keys, all)).toEqual({ sub: 'x' });
    const allowed = all.filter((each) => each !== alg);
    expect(() => verifyToken(signed, keys, allowed)).toThrow(`expected ${allowed.join(' or ')}`);
  });

  test('signed by this client verify', () => {
    const signed = signToken({ iss: 'me' }, rsa.privateKey, 'k1');
    const keys = keysOf(jwk(rsa.publicKey, { kid: 'k1' }), jwk(weak.publicKey, { kid: 'k2' }));
    expect(verifyToken(signed, keys, ['RS256'])).toEqual({ iss: 'me' });
  });

  const good = jwk(rsa.publicKey, { kid: 'k' });
  test.each([
    ['a key of another type', keysOf(jwk(ec.publicKey, { kid: 'k' })), 'found 0'],
    ['a key for encryption', keysOf({ ...good, use: 'enc' }), 'found 0'],
    ['a key for another algorithm', keysOf({ ...good, alg: 'PS256' }), 'found 0'],
    ['another key', keysOf({ ...good, kid: 'l' }), 'found 0'],
    ['two keys with one key ID', keysOf(good, good), 'found 2'],
    ['a short key', keysOf(jwk(weak.publicKey, { kid: 'k' })), '2048 bits'],
    ['a broken key', keysOf({ kty: 'RSA', n: '', e: 'AQAB', kid: 'k' }), 'key'],
    ['a malformed key', keysOf({ kty: 'RSA', kid: 'k', n: { x: 1 } }), 'cannot be read'],
    ['no list of keys', { keys: {} }, 'expected a list'],
    ['too many keys', { keys: Array.from({ length: 65 }, () => good) }, 'at most 64'],
  ])('are rejected with %s', (_, keys, message) => {
    const signed = token('RS256', rsa.privateKey, { kid: 'k' });
    expect(() => verifyToken(signed, keys, all)).toThrow(message);
  });

  test('are rejected with an unsupported curve or critical parameters', () => {
    const foreign = token('ES256', other.privateKey);
    expect(() => verifyToken(foreign, keysOf(jwk(other.publicKey)), all)).toThrow('P-256');
    const critical = token('RS256', rsa.privateKey, { crit: ['exp'] });
    expect(() => verifyToken(critical, keysOf(good), all)).toThrow('critical');
  });

  test.each(['', 'a.b', 'a.b.c.d', '..', 'a.b.!', `${'e30'}.${'e30'}.AAAA`])(
    'do not look like «%s»',
    (text) => {
      expect(() => verifyToken(text, keysOf(good), all)).toThrow(/the token/);
    },
  );
});
