import type { Certificate, SignatureAlgorithm } from '../formats/x509/index.ts';
import { parseSignatureAlgorithm } from '../formats/x509/index.ts';
import { publicKeyOf } from './signature.ts';

const MIN_RSA_BITS = 2048;
const weakDigests = new Set(['md5', 'sha1']);
/** Curves of less than 224 bits, by the names of OpenSSL. */
const weakCurve = /(?:112|113|128|131|160|163|176|191|192|193|208)[a-z]/;

/**
 * Why a signature algorithm with this key proves nothing any more, or undefined when it does:
 * SHA-1, RSA below 2048 bits and curves below 224 bits can be forged.
 */
export function findWeakness(
  algorithm: SignatureAlgorithm,
  signer: Certificate,
): string | undefined {
  const isEdwards = algorithm.scheme === 'ed25519' || algorithm.scheme === 'ed448';
  if (!isEdwards && weakDigests.has(algorithm.digest)) {
    return `the digest ${algorithm.digest} is not reliable`;
  }
  return findWeakKey(signer);
}

function findWeakKey(certificate: Certificate): string | undefined {
  try {
    const { modulusLength, namedCurve } = publicKeyOf(certificate).asymmetricKeyDetails ?? {};
    if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
      return `an RSA key of ${modulusLength} bits is not reliable, ${MIN_RSA_BITS} are expected`;
    }
    if (namedCurve !== undefined && weakCurve.test(namedCurve)) {
      return `the curve ${namedCurve} is not reliable`;
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
    if (weakness !== undefined) return weakness;
  }
  return undefined;
}
