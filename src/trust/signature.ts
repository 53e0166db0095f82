import {
  constants,
  createPublicKey,
  hash as hashOnce,
  type KeyObject,
  publicDecrypt,
  verify,
} from 'node:crypto';
import { createDigest, equalBytes } from '../base/bytes.ts';
import { getOrCompute } from '../base/memo.ts';
import { der } from '../formats/asn1/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
} from '../formats/x509/index.ts';

/** Holder of a public key: a certificate, or a bare key without a name. */
export interface KeyHolder {
  /** SubjectPublicKeyInfo. */
  readonly spkiDer: Uint8Array;
}

const publicKeys = new WeakMap<KeyHolder, KeyObject>();

/** The public key of a certificate or bare key; parsed once per value. */
export function publicKeyOf(holder: KeyHolder): KeyObject {
  return getOrCompute(publicKeys, holder, ({ spkiDer }) =>
    createPublicKey({ key: Buffer.from(spkiDer), format: 'der', type: 'spki' }),
  );
}

/** The digest of the concatenated parts. */
export function digestOf(digest: DigestAlgorithm, ...parts: Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && digest !== 'shake256') {
    return hashOnce(digest, only, 'buffer');
  }
  const hash = createDigest(digest);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const fingerprints = new WeakMap<Certificate, Map<DigestAlgorithm, Uint8Array>>();

/** The digest of the whole certificate; computed once per certificate and algorithm. */
export function fingerprintOf(certificate: Certificate, digest: DigestAlgorithm): Uint8Array {
  // Called hundreds of times per verification: a cached result needs no closure.
  const kept = fingerprints.get(certificate)?.get(digest);
  if (kept !== undefined) return kept;
  const known = getOrCompute(fingerprints, certificate, () => new Map());
  return getOrCompute(known, digest, () => digestOf(digest, certificate.der));
}

const keyTypes: Record<SignatureAlgorithm['scheme'], readonly string[]> = {
  'rsa-pkcs1': ['rsa'],
  'rsa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  'plain-ecdsa': ['ec'],
  dsa: ['dsa'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
};

/**
 * Whether `signature` is a signature over `data` by the holder's key. False as well for a key of
 * another type, a malformed key or a malformed signature.
 */
export function verifySignature(
  algorithm: SignatureAlgorithm,
  holder: KeyHolder,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key = publicKeyOf(holder);
    if (!keyTypes[algorithm.scheme].includes(key.asymmetricKeyType ?? '')) return false;
    if (algorithm.scheme === 'ed25519' || algorithm.scheme === 'ed448') {
      return verify(null, data, key, signature);
    }
    if (algorithm.scheme === 'plain-ecdsa') {
      return verify(algorithm.digest, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
    }
    if (algorithm.scheme !== 'rsa-pss') {
      if (verify(algorithm.digest, data, key, signature)) return true;
      return (
        algorithm.scheme === 'rsa-pkcs1' && verifiesWithoutNull(algorithm, key, data, signature)
      );
    }
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const saltLength = algorithm.saltLengthBytes ?? 20;
    return verify(algorithm.digest, data, { key, padding, saltLength }, signature);
  } catch {
    return false;
  }
}

/**
 * Whether the signature is over a DigestInfo whose algorithm has no parameters. OpenSSL accepts
 * only NULL, although both are legal and equivalent.
 *
 * @spec RFC 4055 §2.1, RFC 8017 §8.2.2
 */
function verifiesWithoutNull(
  { digest }: SignatureAlgorithm,
  key: KeyObject,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const found = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
  const value = der.octetString(digestOf(digest, data));
  return equalBytes(found, der.sequence(serializeDigestAlgorithm(digest), value));
}
