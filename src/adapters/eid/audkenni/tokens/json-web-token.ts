import { constants, createPublicKey, createSign, type KeyObject, verify } from 'node:crypto';
import { attemptAny } from '../../../../base/errors.ts';
import { isRecord } from '../../../../base/input.ts';
import {
  findText,
  parseObject,
  type ResponseObject,
  readOr,
  responseFault,
} from '../../provider-answer.ts';

/** Signature algorithms that can be allowed for tokens. @spec RFC 7518 §3.1 */
export type TokenAlgorithm = 'RS256' | 'PS256' | 'ES256';

const algorithms = {
  RS256: { kty: 'RSA', keyType: 'rsa', options: {} },
  PS256: {
    kty: 'RSA',
    keyType: 'rsa',
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  },
  ES256: { kty: 'EC', keyType: 'ec', options: { dsaEncoding: 'ieee-p1363' } },
} as const;

const MOST_KEYS = 64;
const LEAST_RSA_BITS = 2_048;
const what = 'the token';

/**
 * Returns the payload of a token after verifying its signature with a key of the provider and an
 * allowed algorithm. The claims are not checked.
 *
 * @param keys response of the key endpoint
 * @throws EidError `invalidResponse`
 * @spec RFC 7515 §5.2, RFC 7517 §5, RFC 8725 §3.1
 */
export function verifyToken(
  token: string,
  keys: ResponseObject,
  allowed: readonly TokenAlgorithm[],
): ResponseObject {
  const parts = token.split('.');
  const [head = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || parts.some((part) => !/^[\w-]+$/.test(part))) {
    throw responseFault(`${what}: expected three parts`);
  }
  const header = parseObject(decoded(head), `the header of ${what}`);
  const alg = allowed.find((each) => each === findText(header, 'alg'));
  if (alg === undefined) throw responseFault(`${what}: expected ${allowed.join(' or ')}`);
  if (Object.hasOwn(header, 'crit'))
    throw responseFault(`${what}: expected no critical parameters`);
  const key = { key: keyFor(alg, findText(header, 'kid'), keys), ...algorithms[alg].options };
  const signed = Buffer.from(`${head}.${payload}`);
  const value = Buffer.from(signature, 'base64url');
  if (attemptAny(() => verify('sha256', signed, key, value)) !== true) {
    throw responseFault(`${what}: the signature is not that of the provider`);
  }
  return parseObject(decoded(payload), `the payload of ${what}`);
}

/** Signs a token with RS256. @spec RFC 7515 §5.1 */
export function signToken(claims: object, key: KeyObject, keyId?: string): string {
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) };
  const parts = [header, claims].map((part) => encoded(JSON.stringify(part)));
  const signature = createSign('sha256').update(parts.join('.')).sign(key);
  return [...parts, signature.toString('base64url')].join('.');
}

/** The only key that matches the header. */
function keyFor(alg: TokenAlgorithm, kid: string | undefined, keys: ResponseObject): KeyObject {
  const list = Object.hasOwn(keys, 'keys') ? keys['keys'] : undefined;
  if (!Array.isArray(list) || list.length > MOST_KEYS) {
    throw responseFault(`the keys of the provider: expected a list of at most ${MOST_KEYS}`);
  }
  const { kty } = algorithms[alg];
  const fitting = list.filter(
    (key): key is ResponseObject =>
      isRecord(key) &&
      findText(key, 'kty') === kty &&
      (findText(key, 'use') ?? 'sig') === 'sig' &&
      (findText(key, 'alg') ?? alg) === alg &&
      (kid === undefined || findText(key, 'kid') === kid),
  );
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) {
    throw responseFault(`${what}: expected one key of the provider, found ${fitting.length}`);
  }
  return publicKey(only, alg);
}

function publicKey(jwk: ResponseObject, alg: TokenAlgorithm): KeyObject {
  const { kty, n, e, crv, x, y } = jwk;
  const key = readOr('the key of the provider cannot be read', () =>
    createPublicKey({ key: { kty, n, e, crv, x, y } as never, format: 'jwk' }),
  );
  const { modulusLength = LEAST_RSA_BITS, namedCurve = 'prime256v1' } =
    key.asymmetricKeyDetails ?? {};
  const isStrong = modulusLength >= LEAST_RSA_BITS && namedCurve === 'prime256v1';
  if (key.asymmetricKeyType === algorithms[alg].keyType && isStrong) return key;
  throw responseFault('the key of the provider: expected RSA of 2048 bits or P-256');
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8');
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
