import { constants, createHash, createHmac, type KeyObject, privateEncrypt } from 'node:crypto';
import { der } from '../../../../src/formats/asn1/index.ts';

/** Signs a digest as a server does, which never sees the content. */
export type DigestScheme = 'rsa-pkcs1' | 'rsa-pss' | 'ecdsa';

/** The signature value over a digest; ECDSA as DER. P-256 is the only curve. */
export function signDigest(
  scheme: DigestScheme,
  hash: 'sha256' | 'sha384' | 'sha512',
  digest: Uint8Array,
  key: KeyObject,
): Uint8Array {
  if (scheme === 'ecdsa') return ecdsa(digest, key);
  if (scheme === 'rsa-pss') {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 2048;
    const encoded = emsaPss(hash, digest, bits - 1);
    // A key of type rsa-pss rejects raw operations; a plain RSA key with the same numbers does not.
    return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded);
  }
  const oid = { sha256: 1, sha384: 2, sha512: 3 }[hash];
  const algorithm = der.sequence(der.oid(`2.16.840.1.101.3.4.2.${oid}`), der.nil());
  const info = der.sequence(algorithm, der.octetString(digest));
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(info));
}

/** EMSA-PSS with a salt as long as the digest. @spec RFC 8017 §9.1.1 */
function emsaPss(hash: string, digest: Uint8Array, bits: number): Buffer {
  const length = Math.ceil(bits / 8);
  const salt = createHash(hash).update('salt').update(digest).digest();
  const h = createHash(hash).update(Buffer.alloc(8)).update(digest).update(salt).digest();
  const padding = Buffer.alloc(length - salt.length - h.length - 2);
  const block = Buffer.concat([padding, Buffer.of(1), salt]);
  const mask = mgf1(hash, h, block.length);
  const masked = block.map((byte, index) => byte ^ (mask[index] as number));
  masked[0] = (masked[0] as number) & (0xff >> (8 * length - bits));
  return Buffer.concat([masked, h, Buffer.of(0xbc)]);
}

/** @spec RFC 8017 B.2.1 */
function mgf1(hash: string, seed: Uint8Array, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; parts.reduce((sum, part) => sum + part.length, 0) < length; at++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(at);
    parts.push(createHash(hash).update(seed).update(counter).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

// P-256: FIPS 186-5, SP 800-186 §3.2.1.3. Slow and not constant-time: for tests only.
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const G: Point = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
];

type Point = readonly [bigint, bigint] | undefined;

function ecdsa(digest: Uint8Array, key: KeyObject): Uint8Array {
  const { d = '', crv } = key.export({ format: 'jwk' });
  if (crv !== 'P-256') throw new Error(`expected P-256, found ${crv}`);
  const secret = Buffer.from(d, 'base64url');
  const z = integer(digest.subarray(0, 32));
  for (let round = 0; ; round++) {
    const mac = createHmac('sha256', secret).update(digest).update(String(round)).digest();
    const k = integer(mac) % N;
    const r = (k === 0n ? 0n : (multiply(k, G)?.[0] ?? 0n)) % N;
    const s = (inverse(k, N) * (z + r * integer(secret))) % N;
    if (r === 0n || s === 0n) continue;
    return der.sequence(...[r, s].map((value) => der.integerFromContent(content(value))));
  }
}

/** Content of an INTEGER. */
function content(value: bigint): Uint8Array {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return (bytes[0] as number) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]);
}

function integer(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function multiply(factor: bigint, point: Point): Point {
  let sum: Point;
  let doubled = point;
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}

function add(a: Point, b: Point): Point {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const [x1, y1] = a;
  const [x2, y2] = b;
  if (x1 === x2 && (y1 + y2) % P === 0n) return undefined;
  const slope =
    x1 === x2 ? (3n * x1 * x1 - 3n) * inverse(2n * y1, P) : (y2 - y1) * inverse(x2 - x1, P);
  const x = modulo(slope * slope - x1 - x2, P);
  return [x, modulo(slope * (x1 - x) - y1, P)];
}

function inverse(value: bigint, by: bigint): bigint {
  let [a, b, x, y] = [modulo(value, by), by, 1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b, x, y] = [b - quotient * a, a, y - quotient * x, x];
  }
  return modulo(x, by);
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}
