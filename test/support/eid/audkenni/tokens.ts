import { createHash, createHmac, sign } from 'node:crypto';
import { newKeyPair } from '../../key-pairs.ts';

/** Keys of the provider for tokens. */
export const providerKeys = newKeyPair('RSA-2048', 'audkenni tokens');
const strangeKeys = newKeyPair('RSA-2048', 'audkenni stranger');

/** Identifier of the key of the provider. */
export const keyId = 'key-1';

/** The document of the key endpoint. */
export function keySet(): object {
  const encryption = { ...strangeKeys.publicKey.export({ format: 'jwk' }), kid: 'enc', use: 'enc' };
  const signing = { ...providerKeys.publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig' };
  return { keys: [encryption, { ...signing, alg: 'RS256' }] };
}

/** Faults of ID tokens that can be injected. */
export const tokenFaults = [
  'token: other nonce',
  'token: other audience',
  'token: second audience',
  'token: other issuer',
  'token: expired',
  'token: from the past',
  'token: other access token',
  'token: alg none',
  'token: alg HS256 with the public key',
  'token: unknown key',
  'token: signed by a stranger',
  'token: changed payload',
  'token: no subject',
  'token: no JWT',
] as const;

/** Claims of an ID token with one fault. */
export function faultyClaims(
  claims: Readonly<Record<string, unknown>>,
  faults: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const other = 'somebody-else';
  const exp = Number(claims['exp']);
  const iat = Number(claims['iat']);
  return {
    ...claims,
    ...(faults.has('token: other nonce') ? { nonce: other } : {}),
    ...(faults.has('token: other audience') ? { aud: other } : {}),
    ...(faults.has('token: second audience') ? { aud: [claims['aud'], other] } : {}),
    ...(faults.has('token: other issuer') ? { iss: `https://${other}.example` } : {}),
    ...(faults.has('token: expired') ? { exp: exp - 7_200 } : {}),
    ...(faults.has('token: from the past') ? { iat: iat - 7_200 } : {}),
    ...(faults.has('token: no subject') ? { sub: undefined } : {}),
    ...(faults.has('token: other access token') ? { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } : {}),
  };
}

/** The token for claims, RS256 unless a fault requires otherwise. */
export function makeToken(claims: object, faults: ReadonlySet<string> = new Set()): string {
  if (faults.has('token: no JWT')) return 'opaque-token';
  const isNone = faults.has('token: alg none');
  const isHmac = faults.has('token: alg HS256 with the public key');
  const kid = faults.has('token: unknown key') ? 'key-9' : keyId;
  const alg = isNone ? 'none' : isHmac ? 'HS256' : 'RS256';
  const signed = [{ alg, typ: 'JWT', kid }, claims].map(encoded).join('.');
  if (isNone) return `${signed}.AAAA`;
  if (isHmac) {
    const pem = providerKeys.publicKey.export({ format: 'pem', type: 'spki' });
    return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
  }
  const stranger = faults.has('token: signed by a stranger');
  const key = stranger ? strangeKeys.privateKey : providerKeys.privateKey;
  const value = sign('sha256', Buffer.from(signed), key).toString('base64url');
  if (!faults.has('token: changed payload')) return `${signed}.${value}`;
  const [head] = signed.split('.');
  return `${head}.${encoded({ ...claims, extra: true })}.${value}`;
}

/** Left half of the hash of an access token, as in ID tokens. */
export function halfHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
