import { equalBytes, hexOf } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  contentOf,
  type DerNode,
  derOf,
  readBitOctets,
  readDer,
  readIntegerBytes,
  readSequence,
  readSmallInteger,
  readTimeMs,
} from '../asn1/index.ts';
import { type CertificateExtensions, parseExtensions } from './extensions.ts';
import { parsing } from './malformed.ts';

/** A parsed certificate. All byte fields are views into `der`. */
export interface Certificate {
  /** The whole certificate. */
  readonly der: Uint8Array;
  /** The signed part. */
  readonly tbsDer: Uint8Array;
  /** 1, 2 or 3. */
  readonly version: number;
  /** Content bytes of the serial number. */
  readonly serialNumber: Uint8Array;
  /** Name of the issuer, as DER. */
  readonly issuerDer: Uint8Array;
  /** Name of the subject, as DER. */
  readonly subjectDer: Uint8Array;
  readonly notBeforeMs: number;
  /** End of validity: the last second that the certificate names, inclusive. */
  readonly notAfterMs: number;
  /** SubjectPublicKeyInfo. */
  readonly spkiDer: Uint8Array;
  /** The public key bits inside it, which key identifiers and OCSP hash. */
  readonly publicKeyBits: Uint8Array;
  /** AlgorithmIdentifier of the issuer's signature. */
  readonly signatureAlgorithm: DerNode;
  readonly signature: Uint8Array;
  readonly extensions: CertificateExtensions;
}

/**
 * Parses a certificate.
 *
 * @throws x509.invalid if the bytes are not one well-formed certificate
 * @spec RFC 5280 §4.1, §4.1.2.9
 */
export function parseCertificate(bytes: Uint8Array): Certificate {
  return parsing('a certificate', () => parse(bytes));
}

function parse(bytes: Uint8Array): Certificate {
  const [tbs, signatureAlgorithm, signature] = readSequence(readDer(bytes), 'certificate');
  const fields = readSequence(tbs, 'TBSCertificate');
  const version = fields[0]?.tag === 0xa0 ? 1 : 0;
  const [serial, innerAlgorithm, issuer, validity, subject, spki] = fields.slice(version);
  const [notBefore, notAfter] = readSequence(validity, 'validity');
  const [, keyBits] = readSequence(spki, 'public key');
  readSequence(issuer, 'issuer');
  readSequence(subject, 'subject');
  readSequence(signatureAlgorithm, 'signature algorithm');
  readSequence(innerAlgorithm, 'inner signature algorithm');
  if (!equalBytes(derOf(innerAlgorithm as DerNode), derOf(signatureAlgorithm as DerNode))) {
    const message = 'not a certificate: two different signature algorithms';
    throw new InnsigliError('x509.invalid', message);
  }
  const extensions = fields.find((field, index) => index > version + 5 && field.tag === 0xa3);
  if (extensions !== undefined && versionOf(fields[0]) !== 3) {
    throw new InnsigliError('x509.invalid', 'not a certificate: extensions, and not of version 3');
  }
  return {
    der: bytes,
    tbsDer: derOf(tbs as DerNode),
    version: versionOf(fields[0]),
    serialNumber: readIntegerBytes(serial, 'serial number'),
    issuerDer: derOf(issuer as DerNode),
    subjectDer: derOf(subject as DerNode),
    notBeforeMs: readTimeMs(notBefore, 'notBefore'),
    notAfterMs: readTimeMs(notAfter, 'notAfter'),
    spkiDer: derOf(spki as DerNode),
    publicKeyBits: readBitOctets(keyBits, 'public key'),
    signatureAlgorithm: signatureAlgorithm as DerNode,
    signature: readBitOctets(signature, 'signature'),
    extensions: parseExtensions(
      extensions === undefined ? [] : readSequence(readDer(contentOf(extensions)), 'extensions'),
    ),
  };
}

function versionOf(first: DerNode | undefined): number {
  if (first?.tag !== 0xa0) return 1;
  return 1 + readSmallInteger(readDer(contentOf(first)), 'version');
}

/** Serial number in hexadecimal, for messages. */
export function serialHex(certificate: Certificate): string {
  return hexOf(certificate.serialNumber);
}
