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

/** Maximum number of certificates that are tried as that of a signer. */
const MAX_CANDIDATES = 16;

/** Candidates for the certificate of a signer. */
export interface SignerCertificates {
  /**
   * Certificates that the signer identifier matches and that are bound by the hashes of the
   * references; without references, all that match. Certificates of the signature itself come
   * first.
   */
  readonly candidates: readonly Certificate[];
  /** Certificates that match the signer identifier but not a reference: nothing confirms them. */
  readonly misnamed: readonly Certificate[];
}

/**
 * Lists the certificates whose keys may have created a CMS signature, best first and at most 16.
 * Anyone can add a certificate with the issuer and serial number of another, so among matching
 * certificates the hash in the signing-certificate attribute decides. Certificates in the signature
 * precede those of the pool; the caller tries each of them.
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

/** Whether the hash in the reference is that of the certificate. @spec RFC 5035 §4 */
export function bindsCertificate(
  { digest, certificateHash }: SigningCertificateReference,
  certificate: Certificate,
): boolean {
  return digest !== undefined && equalBytes(fingerprintOf(certificate, digest), certificateHash);
}

/** Whether issuer and serial number next to the hash, if present, are those of the certificate. */
export function namesCertificate(
  { issuerDer, serialNumber }: SigningCertificateReference,
  certificate: Certificate,
): boolean {
  if (serialNumber !== undefined && !equalBytes(serialNumber, certificate.serialNumber)) {
    return false;
  }
  return issuerDer === undefined || equalNames(issuerDer, certificate.issuerDer);
}

/** Maximum number of certificates examined per signature. */
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

/** Returns a predicate for certificates that match the signer identifier. @spec RFC 5652 §5.3 */
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
