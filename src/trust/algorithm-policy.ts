import type { Certificate, SignatureAlgorithm } from '../formats/x509/index.ts';
import { describeName, parseSignatureAlgorithm } from '../formats/x509/index.ts';
import { publicKeyOf } from './signature.ts';

const MIN_RSA_BITS = 2048;
const weakDigests = new Set<string>(['md5', 'sha1']);
/** Curves of 224 bits and more, by the names of OpenSSL; some small ones do not tell their size. */
const strongCurve = /(?:22[4-9]|2[3-9]\d|[345]\d\d)[krtvw]\d$/;

/** All that a signature or time-stamp stands on, as far as its strength goes. */
export interface Proof {
  /** Of the signer. */
  readonly certificate: Certificate;
  /** Of the signature value; undefined when it is not known. */
  readonly algorithm: SignatureAlgorithm | undefined;
  /** Every digest by which what was signed is bound. */
  readonly digests: readonly (string | undefined)[];
  /** From the certificate to an anchor, or as far as it is known; leaf first. */
  readonly path: readonly Certificate[];
}

/**
 * Why a proof is too weak to prove anything, or undefined when it is strong enough. This is the
 * one policy: `verify` checks by it, and sealing refuses by it, so that nothing is made that our
 * own conclusion would not accept. It is about strength only, not about the age of algorithms.
 *
 * @spec ETSI EN 319 102-1 §5.2.8
 */
export function findWeakProof({
  certificate,
  algorithm,
  digests,
  path,
}: Proof): string | undefined {
  for (const digest of digests) {
    const weakness = findWeakDigest(digest);
    if (weakness !== undefined) return weakness;
  }
  return (algorithm && findWeakness(algorithm, certificate)) ?? findWeakPath(path);
}

/**
 * Why a signature algorithm with this key proves nothing any more, or undefined when it does:
 * SHA-1, RSA below 2048 bits and curves below 224 bits can be forged.
 */
export function findWeakness(
  algorithm: SignatureAlgorithm,
  signer: Certificate,
): string | undefined {
  const isEdwards = algorithm.scheme === 'ed25519' || algorithm.scheme === 'ed448';
  return (isEdwards ? undefined : findWeakDigest(algorithm.digest)) ?? findWeakKey(signer);
}

/** Why a digest binds nothing any more: MD5 and SHA-1 let two documents have the same one. */
export function findWeakDigest(digest: string | undefined): string | undefined {
  if (digest === undefined || !weakDigests.has(digest)) return undefined;
  return `the digest ${digest} is too weak`;
}

function findWeakKey(certificate: Certificate): string | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails = {} } = publicKeyOf(certificate);
    const { modulusLength, publicExponent, namedCurve } = asymmetricKeyDetails;
    if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
      return `an RSA key of ${modulusLength} bits is too weak, expected at least ${MIN_RSA_BITS}`;
    }
    if (publicExponent !== undefined && publicExponent < 3n) {
      return `an RSA key with the exponent ${publicExponent} is too weak`;
    }
    if (asymmetricKeyType === 'ec' && !strongCurve.test(namedCurve ?? '')) {
      return `the curve ${namedCurve ?? 'without a name'} is too weak`;
    }
    return undefined;
  } catch {
    return 'the public key is unreadable';
  }
}

/** The first weakness on a path, leaf first; how an anchor was signed does not matter. */
export function findWeakPath(path: readonly Certificate[]): string | undefined {
  for (let i = 0; i + 1 < path.length; i++) {
    const [certificate, issuer] = [path[i] as Certificate, path[i + 1] as Certificate];
    const algorithm = parseSignatureAlgorithm(certificate.signatureAlgorithm);
    const weakness = findWeakness(algorithm, issuer);
    if (weakness === undefined) continue;
    const [subject, signedBy] = [certificate, issuer].map((one) => describeName(one.subjectDer));
    return `«${subject}» is signed by «${signedBy}»: ${weakness}`;
  }
  return undefined;
}
