import { equalBytes } from '../base/bytes.ts';
import { type Certificate, comparableName, parseCertificate } from '../formats/x509/index.ts';
import { interned } from './intern.ts';

/** Subject and issuer of a certificate in comparable form. */
export interface ComparableNames {
  readonly subject: string;
  readonly issuer: string;
}
const names = new WeakMap<Certificate, ComparableNames>();

/** Subject and issuer as texts that are equal when the names match; cached per certificate. */
export function namesOf(certificate: Certificate): ComparableNames {
  let found = names.get(certificate);
  if (found === undefined) {
    const { subjectDer, issuerDer } = certificate;
    found = { subject: comparableName(subjectDer), issuer: comparableName(issuerDer) };
    names.set(certificate, found);
  }
  return found;
}

/**
 * Parses a certificate. Equal bytes give the same value, even across pools, so that earlier
 * verification results can be reused.
 *
 * @throws x509.invalid if the bytes are not a certificate
 */
export const internCertificate = interned(512, 16 * 1024, parseCertificate);

/** Sorts candidates by key identifier: first the one that `certificate` names, last any other. */
export function rankIssuers(
  certificate: Certificate,
  candidates: readonly Certificate[],
): readonly Certificate[] {
  const wanted = certificate.extensions.authorityKeyId;
  if (wanted === undefined || candidates.length < 2) return candidates;
  const rank = (candidate: Certificate) => {
    const found = candidate.extensions.subjectKeyId;
    return found === undefined ? 1 : equalBytes(found, wanted) ? 0 : 2;
  };
  return [...candidates].sort((a, b) => rank(a) - rank(b));
}
