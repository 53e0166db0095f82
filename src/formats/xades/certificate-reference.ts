import type { DigestAlgorithm } from '../x509/index.ts';
import type { XmlElement } from '../xml/index.ts';
import {
  findDigest,
  namespaces,
  readBase64,
  requireAttribute,
  signatureInvalid,
} from '../xmldsig/index.ts';

/** A digest and its algorithm. */
export interface DigestAndValue {
  /** Undefined if the algorithm is unknown or not accepted. */
  readonly digest: DigestAlgorithm | undefined;
  readonly digestValue: Uint8Array;
}

/** A reference to a certificate by digest, and optionally by issuer and serial number. */
export interface CertificateReference extends DigestAndValue {
  /** First version: decimal digits, with an optional minus sign. */
  readonly serialNumber: string | undefined;
  /** Second version: IssuerSerial, DER. */
  readonly issuerSerialDer: Uint8Array | undefined;
}

const { dsig } = namespaces;

/**
 * The digest in a CertDigest, DigestAlgAndValue or SigPolicyHash.
 *
 * @throws xml.signature.invalid if there is not exactly one
 * @spec ETSI EN 319 132-1 §5.2.2
 */
export function readDigestAndValue(element: XmlElement): DigestAndValue {
  const [method, value, ...more] = element.children;
  const isSound = isOf(method, element, 'DigestMethod') && isOf(value, element, 'DigestValue');
  if (method === undefined || value === undefined || !isSound || more.length > 0) {
    throw signatureInvalid(element, 'expected DigestMethod and DigestValue');
  }
  const digest = findDigest(requireAttribute(method, 'Algorithm'));
  return { digest, digestValue: readBase64(value) };
}

/** XAdES 1.1.1 and some signers use the XAdES namespace for the two elements. */
function isOf(child: XmlElement | undefined, parent: XmlElement, localName: string): boolean {
  return child?.is(dsig, localName) === true || child?.is(parent.namespaceUri, localName) === true;
}

/**
 * The Cert children of a SigningCertificate, CertRefs and their second versions.
 *
 * @throws xml.signature.invalid if one has no digest
 * @spec ETSI EN 319 132-1 §5.2.2 (V2), ETSI TS 101 903 v1.4.2 §7.2.2
 */
export function parseCertificateReferences(element: XmlElement): readonly CertificateReference[] {
  return element.children.map((cert) => {
    if (cert.localName !== 'Cert') throw signatureInvalid(element, 'expected Cert');
    const digest = childOf(cert, 'CertDigest');
    if (digest === undefined) throw signatureInvalid(cert, 'no CertDigest');
    const serial = childOf(cert, 'IssuerSerial');
    const serialV2 = childOf(cert, 'IssuerSerialV2');
    return {
      ...readDigestAndValue(digest),
      serialNumber: serial?.child(dsig, 'X509SerialNumber')?.text.trim(),
      issuerSerialDer: serialV2 && readBase64(serialV2),
    };
  });
}

/** The first child with this name in the namespace of its parent. */
export function childOf(element: XmlElement, localName: string): XmlElement | undefined {
  return element.child(element.namespaceUri, localName);
}
