import { equalBytes } from '../base/bytes.ts';
import { type Certificate, comparableName, parseCertificate } from '../formats/x509/index.ts';
import { interned } from './intern.ts';

/** Both names of a certificate in comparable form. */
export interface ComparableNames {
  readonly subject: string;
  readonly issuer: string;
}
const names = new WeakMap<Certificate, ComparableNames>();

/** Subject and issuer as texts that are equal when the names match; kept for each value. */
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
 * The certificate that the bytes hold: the same value for the same bytes, also from one pool to
 * the next, so that what was verified once is known.
 *
 * @throws x509.invalid when the bytes are not a certificate
 */
export const internCertificate = interned(512, 16 * 1024, parseCertificate);

/**
 * The candidates, those first whose key identifier is the one that `certificate` names; those
 * that have another one come last.
 */
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
