import {
  constants,
  createCipheriv,
  createHash,
  createHmac,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { newKeyPair } from '../../key-pairs.ts';

/** A key pair of a provider or client. */
export interface JoseKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export type Claims = Record<string, unknown>;

/** A new key: RS256 with 2048 bits, or ES256. */
export function newKey(kid: string, alg: 'RS256' | 'ES256' = 'RS256'): JoseKey {
  const pair =
    alg === 'RS256'
      ? newKeyPair('RSA-2048', kid)
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, alg, ...pair };
}

/** The key as a PKCS #8 PEM, for a configuration. */
export function pemOf({ privateKey }: JoseKey): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** The public half as a member of a JWK Set. */
export function jwkOf({ kid, alg, publicKey }: JoseKey): Claims {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT signed with the key, as its `alg` says. */
export function signedJwt(key: JoseKey, claims: Claims, header: Claims = {}): string {
  const input = `${encoded({ alg: key.alg, kid: key.kid, ...header })}.${encoded(claims)}`;
  const data = Buffer.from(input);
  const signature =
    key.alg === 'RS256'
      ? sign('sha256', data, key.privateKey)
      : sign('sha256', data, { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** A JWT without a signature. */
export function unsignedJwt(claims: Claims): string {
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
}

/** A JWT whose HMAC key is a known public key. */
export function hmacJwt(claims: Claims, kid: string, secret: string | Buffer): string {
  const input = `${encoded({ alg: 'HS256', kid })}.${encoded(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** The claims of a JWT signed by the key. Undefined for any other. */
export function verifiedClaims(jwt: string, key: KeyObject): Claims | undefined {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
  const data = Buffer.from(`${header}.${payload}`);
  const value = Buffer.from(signature, 'base64url');
  const isSigned =
    (alg === 'RS256' && createVerify('sha256').update(data).verify(key, value)) ||
    (alg === 'ES256' && verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, value));
  if (!isSigned) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}

/** A nested JWT: RSA-OAEP-256 with A256GCM. @spec RFC 7516 §5.1 */
export function encryptedJwt(jwt: string, { kid, publicKey }: JoseKey): string {
  const contentKey = randomBytes(32);
  const iv = randomBytes(12);
  const header = encoded({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid });
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: publicKey, padding, oaepHash: 'sha256' }, contentKey);
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header));
  const content = Buffer.concat([cipher.update(jwt), cipher.final()]);
  const parts = [wrapped, iv, content, cipher.getAuthTag()];
  return [header, ...parts.map((part) => part.toString('base64url'))].join('.');
}

/** Half of the SHA-256 of a token. @spec OpenID Connect Core 1.0 §3.1.3.6 */
export function halfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
