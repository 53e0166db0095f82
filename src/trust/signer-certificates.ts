import { equalBytes } from '../base/bytes.ts';
import {
  readSigningCertificate,
  type SignerInfo,
  type SigningCertificateReference,
} from '../formats/cms/index.ts';
import { type Certificate, comparableName } from '../formats/x509/index.ts';
import { namesOf } from './certificates.ts';
import type { CertificatePool } from './path.ts';
import { fingerprintOf } from './signature.ts';

/** Certificates that are tried as the one of a signer. */
const MAX_CANDIDATES = 16;

/** The certificates that may be the one of a signer. */
export interface SignerCertificates {
  /** The first entry of the signing-certificate attribute; undefined when there is none. */
  readonly reference: SigningCertificateReference | undefined;
  /**
   * Those that the reference binds by its hash; without a reference, those that the signer names.
   * Certificates of the signature itself come first.
   */
  readonly candidates: readonly Certificate[];
  /** Those that the signer names when its reference binds none: for messages only. */
  readonly misnamed: readonly Certificate[];
}

/**
 * The certificates whose keys may have made a CMS signature, best first and at most 16. Anybody
 * can add a certificate with the issuer and the serial number of another one, so what is found by
 * the hash of the signing-certificate attribute comes before what is found by name, what the
 * signature carries before the pool, and the caller tries each.
 *
 * @param own certificates of the SignedData, DER
 * @spec RFC 5035 §5, ETSI EN 319 102-1 §5.2.3
 */
export function listSignerCertificates(
  signer: SignerInfo,
  own: readonly Uint8Array[],
  pool: CertificatePool,
): SignerCertificates {
  const [reference] = readSigningCertificate(signer);
  const carried = own.slice(0, MAX_CARRIED).flatMap((der) => pool.add(der) ?? []);
  const isNamed = namesSigner(signer);
  const named = [...first(carried, isNamed), ...first(pool.all, isNamed)];
  if (reference === undefined) {
    return { reference, candidates: first(new Set(named), () => true), misnamed: [] };
  }
  const { digest, certificateHash } = reference;
  const isBound = (candidate: Certificate) =>
    digest !== undefined && equalBytes(fingerprintOf(candidate, digest), certificateHash);
  // Named ones first: usually that spares the hashes of all others.
  for (const group of [named, carried, pool.all]) {
    const candidates = first(new Set(group), isBound);
    if (candidates.length > 0) return { reference, candidates, misnamed: [] };
  }
  return { reference, candidates: [], misnamed: first(new Set(named), () => true) };
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

/** Whether a certificate is one that the signer identifier names. @spec RFC 5652 §5.3 */
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
