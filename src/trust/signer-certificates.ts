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
   * Certificates that the signer identifies and the reference binds by its hash; without a
   * reference, the identified ones. Certificates of the signature itself come first.
   */
  readonly candidates: readonly Certificate[];
  /**
   * Certificates that the signer identifies and its reference does not bind: nothing confirms them.
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
 * @spec RFC 5652 §5.3, RFC 5035 §5, ETSI EN 319 102-1 §5.2.3
 */
export function listSignerCertificates(
  signer: SignerInfo,
  own: readonly Uint8Array[],
  pool: CertificatePool,
): SignerCertificates {
  const [reference] = readSigningCertificate(signer);
  const carried = own.slice(0, MAX_CARRIED).flatMap((der) => pool.add(der) ?? []);
  const isNamed = namesSigner(signer);
  const among = (fits: (candidate: Certificate) => boolean) => {
    const found = new Set([...first(carried, fits), ...first(pool.all, fits)]);
    return [...found].slice(0, MAX_CANDIDATES);
  };
  if (reference === undefined) return { reference, candidates: among(isNamed), misnamed: [] };
  const { digest, certificateHash } = reference;
  const isBound = (candidate: Certificate) =>
    digest !== undefined && equalBytes(fingerprintOf(candidate, digest), certificateHash);
  const candidates = among((each) => isNamed(each) && isBound(each));
  return { reference, candidates, misnamed: candidates.length > 0 ? [] : among(isNamed) };
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
