import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import { readBitOctets, readDer, readIntegerBytes, readOid, readSequence } from '../asn1/index.ts';
import type { Certificate, SignatureAlgorithm } from '../x509/index.ts';

/** Maximum length in bytes of an ECDSA signature, `SEQUENCE { r, s }`, by the OID of the curve. */
const ecdsaLengths = new Map([
  ['1.2.840.10045.3.1.1', 56],
  ['1.3.132.0.33', 64],
  ['1.2.840.10045.3.1.7', 72],
  ['1.3.132.0.10', 72],
  ['1.3.132.0.34', 104],
  ['1.3.132.0.35', 139],
  ['1.3.36.3.3.2.8.1.1.7', 72],
  ['1.3.36.3.3.2.8.1.1.11', 104],
  ['1.3.36.3.3.2.8.1.1.13', 139],
]);

const lengths = new WeakMap<Certificate, number>();

/**
 * Maximum length in bytes of a signature by the certificate's key. RSA and EdDSA signatures always
 * have this length, ECDSA signatures are often one or two bytes shorter.
 *
 * @throws x509.invalid if the public key cannot be read
 * @throws algorithm.unsupported if the curve is unknown
 */
export function maxSignatureLength(
  algorithm: SignatureAlgorithm,
  certificate: Certificate,
): number {
  if (algorithm.scheme === 'ed25519') return 64;
  if (algorithm.scheme === 'ed448') return 114;
  const lengthOf = algorithm.scheme === 'ecdsa' ? curveLength : modulusLength;
  try {
    return getOrCompute(lengths, certificate, lengthOf);
  } catch (cause) {
    if (isInnsigliError(cause) && cause.code === 'algorithm.unsupported') throw cause;
    const message = `the public key of the certificate does not match ${algorithm.scheme}`;
    throw new InnsigliError('x509.invalid', message, { cause });
  }
}

function modulusLength(certificate: Certificate): number {
  const [, bits] = readSequence(readDer(certificate.spkiDer), 'public key');
  const [modulus] = readSequence(readDer(readBitOctets(bits)), 'RSA public key');
  const bytes = readIntegerBytes(modulus, 'modulus');
  return bytes[0] === 0 ? bytes.length - 1 : bytes.length;
}

function curveLength(certificate: Certificate): number {
  const [algorithm] = readSequence(readDer(certificate.spkiDer), 'public key');
  const curve = readOid(readSequence(algorithm, 'algorithm')[1], 'curve');
  const length = ecdsaLengths.get(curve);
  if (length === undefined) {
    throw new InnsigliError('algorithm.unsupported', `unknown elliptic curve ${curve}`, {
      hint: 'use P-256, P-384 or P-521',
    });
  }
  return length;
}
