import type { ReportAdvice, ReportHeadline, ReportVerdict } from '../../base/report-words.types.ts';
import type { Finding, SignatureConclusion, VerificationReport } from '../../verify/report.ts';

/** A signature or time-stamp of any format. */
export type AnyConclusion = VerificationReport['signatures'][number];

/** Whether a signature can be relied on, why not, and what to do. */
export interface Verdict {
  readonly verdict: ReportVerdict;
  readonly advice?: ReportAdvice;
  /** The time that the verdict names, ISO 8601. */
  readonly date?: string;
}

const verdictOfSub: Readonly<Record<string, Verdict>> = {
  HASH_FAILURE: { verdict: 'changed', advice: 'original' },
  SIG_CRYPTO_FAILURE: { verdict: 'value', advice: 'resign' },
  FORMAT_FAILURE: { verdict: 'malformed', advice: 'resign' },
  NO_CERTIFICATE_CHAIN_FOUND: { verdict: 'untrusted', advice: 'root' },
  NO_CERTIFICATE_CHAIN_FOUND_NO_POE: { verdict: 'untrusted', advice: 'root' },
  CERTIFICATE_CHAIN_GENERAL_FAILURE: { verdict: 'chain', advice: 'ask' },
  CHAIN_CONSTRAINTS_FAILURE: { verdict: 'chain', advice: 'ask' },
  CRYPTO_CONSTRAINTS_FAILURE: { verdict: 'weak', advice: 'resign' },
  CRYPTO_CONSTRAINTS_FAILURE_NO_POE: { verdict: 'weak', advice: 'resign' },
  TRY_LATER: { verdict: 'status', advice: 'online' },
  NO_SIGNING_CERTIFICATE_FOUND: { verdict: 'nobody', advice: 'resign' },
  SIGNED_DATA_NOT_FOUND: { verdict: 'missing', advice: 'files' },
  SIGNATURE_POLICY_NOT_AVAILABLE: { verdict: 'policy', advice: 'ask' },
  POLICY_PROCESSING_ERROR: { verdict: 'policy', advice: 'ask' },
  TIMESTAMP_ORDER_FAILURE: { verdict: 'order', advice: 'ask' },
  NO_POE: { verdict: 'unproved', advice: 'timely' },
  SIG_CONSTRAINTS_FAILURE: { verdict: 'constraints', advice: 'resign' },
};

/** The verdict on one signature or time-stamp, for people. */
export function verdictOf(conclusion: AnyConclusion): Verdict {
  const { indication, subIndication = '', findings, kind, trusted } = conclusion;
  if (indication === 'TOTAL-PASSED') {
    if (kind === 'document-timestamp') return { verdict: 'stampPassed' };
    return { verdict: has(findings, 'revocation.unknown') ? 'unchecked' : 'passed' };
  }
  const isRefuted = indication === 'TOTAL-FAILED';
  // What is shown was not signed: that is worse than whatever else is open.
  if (!isRefuted && has(findings, 'document.changed')) return { verdict: 'later', advice: 'later' };
  if (has(findings, 'signature.second-opinion.disagrees')) {
    return { verdict: 'doubted', advice: 'ask' };
  }
  if (subIndication.startsWith('REVOKED')) return { verdict: 'revoked', advice: 'resign' };
  // It fits, but only the bytes as they stand and not their DER encoding.
  if (subIndication === 'SIG_CRYPTO_FAILURE' && !isRefuted) {
    return { verdict: 'malformed', advice: 'resign' };
  }
  // What was signed is there; how it is digested is not known here, and no file would help.
  const isThere =
    has(findings, 'signature.reference.refused') && !has(findings, 'signature.reference.missing');
  if (subIndication === 'SIGNED_DATA_NOT_FOUND' && isThere)
    return { verdict: 'open', advice: 'ask' };
  const known = verdictOfSub[subIndication];
  if (known !== undefined) return known;
  // The path holds at the time that is proved; it is the status that nobody can ask for any more.
  if (trusted && has(findings, 'revocation.unknown'))
    return { verdict: 'status', advice: 'online' };
  if (/^(OUT_OF_BOUNDS|EXPIRED|NOT_YET_VALID)/.test(subIndication)) return outOfBounds(conclusion);
  return { verdict: 'open', advice: 'ask' };
}

/** Which certificate was outside of its period, and on which side. */
function outOfBounds({ signer, bestTime }: SignatureConclusion): Verdict {
  const atMs = Date.parse(bestTime);
  if (signer !== undefined && atMs > Date.parse(signer.notAfter)) {
    return { verdict: 'expired', advice: 'timely', date: signer.notAfter };
  }
  if (signer !== undefined && atMs < Date.parse(signer.notBefore)) {
    return { verdict: 'early', advice: 'resign', date: signer.notBefore };
  }
  return { verdict: 'issuerExpired', advice: 'timely' };
}

/** What became of the document as a whole. */
export function headlineOf({
  signatures,
  indication,
  coverage,
}: VerificationReport): ReportHeadline {
  if (signatures.length === 0) return 'none';
  if (indication === 'TOTAL-FAILED') return 'failed';
  if (indication === 'INDETERMINATE') return 'open';
  return coverage === 'full' ? 'passed' : 'partial';
}

function has(findings: readonly Finding[], wanted: string): boolean {
  return findings.some(({ code, severity }) => code === wanted && severity !== 'info');
}
