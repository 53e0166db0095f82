import { equalBytes } from '../base/bytes.ts';
import {
  listSignerReferences,
  type SignerInfo,
  type SigningCertificateReference,
} from '../formats/cms/index.ts';
import { type Certificate, comparableName, equalNames } from '../formats/x509/index.ts';
import { namesOf } from './certificates.ts';
import type { CertificatePool } from './path.ts';
import { fingerprintOf } from './signature.ts';

/** Certificates that are tried as the one of a signer. */
const MAX_CANDIDATES = 16;

/** The certificates that may be the one of a signer. */
export interface SignerCertificates {
  /**
   * Certificates that the signer identifies and its references bind by their hashes; without a
   * reference, the identified ones. Certificates of the signature itself come first.
   */
  readonly candidates: readonly Certificate[];
  /**
   * Certificates that the signer identifies and a reference does not bind: nothing confirms them.
   */
  readonly misnamed: readonly Certificate[];
}

/**
 * The certificates whose keys may have made a CMS signature, best first and at most 16. Anybody can
 * add a certificate with the issuer and the serial number of another one, so the hash of the
 * signing-certificate attribute decides among those that are named; certificates in the signature
 * come before the pool, and the caller tries each.
 *
 * @param own certificates of the SignedData, DER
 * @spec RFC 5652 §5.3, RFC 5035 §2, §3, §5, ETSI EN 319 102-1 §5.2.3
 */
export function listSignerCertificates(
  signer: SignerInfo,
  own: readonly Uint8Array[],
  pool: CertificatePool,
): SignerCertificates {
  const references = listSignerReferences(signer);
  const carried: Certificate[] = [];
  for (const der of own.slice(0, MAX_CARRIED)) {
    const certificate = pool.add(der);
    if (certificate !== undefined) carried.push(certificate);
  }
  const isNamed = namesSigner(signer);
  const among = (fits: (candidate: Certificate) => boolean) => {
    const found: Certificate[] = [];
    for (const certificates of [carried, pool.all]) {
      for (const each of first(certificates, fits)) if (!found.includes(each)) found.push(each);
    }
    return found.slice(0, MAX_CANDIDATES);
  };
  if (references.length === 0) return { candidates: among(isNamed), misnamed: [] };
  const isBound = (each: Certificate) => references.every((one) => bindsCertificate(one, each));
  const candidates = among((each) => isNamed(each) && isBound(each));
  return { candidates, misnamed: candidates.length > 0 ? [] : among(isNamed) };
}

/** True when the hash of the reference is that of the certificate. @spec RFC 5035 §4 */
export function bindsCertificate(
  { digest, certificateHash }: SigningCertificateReference,
  certificate: Certificate,
): boolean {
  return digest !== undefined && equalBytes(fingerprintOf(certificate, digest), certificateHash);
}

/** True when issuer and serial number beside the hash, if any, are those of the certificate. */
export function namesCertificate(
  { issuerDer, serialNumber }: SigningCertificateReference,
  certificate: Certificate,
): boolean {
  if (serialNumber !== undefined && !equalBytes(serialNumber, certificate.serialNumber)) {
    return false;
  }
  return issuerDer === undefined || equalNames(issuerDer, certificate.issuerDer);
}

/** Certificates of one signature that are looked at. */
const MAX_CARRIED = 256;

function first(
  certificates: Iterable<Certificate>,
  fits: (candidate: Certificate) => boolean,
): Certificate[] {
  const found: Certificate[] = [];
  for (const candidate of certificates) {
    if (found.length >= MAX_CANDIDATES) break;
    if (fits(candidate)) found.push(candidate);
  }
  return found;
}

/** A predicate for certificates that match the signer identifier. @spec RFC 5652 §5.3 */
function namesSigner(signer: SignerInfo): (candidate: Certificate) => boolean {
  const { issuerDer, serialNumber, subjectKeyId } = signer;
  if (issuerDer === undefined || serialNumber === undefined) {
    return ({ extensions }) =>
      subjectKeyId !== undefined &&
      extensions.subjectKeyId !== undefined &&
      equalBytes(extensions.subjectKeyId, subjectKeyId);
  }
  let issuer: string | undefined;
  return (candidate) => {
    if (!equalBytes(candidate.serialNumber, serialNumber)) return false;
    if (equalBytes(candidate.issuerDer, issuerDer)) return true;
    issuer ??= comparableName(issuerDer);
    return namesOf(candidate).issuer === issuer;
  };
}
