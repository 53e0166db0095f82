import type {
  ReportAdvice,
  ReportCause,
  ReportHeadline,
  ReportVerdict,
} from '../../base/words/index.ts';
import type {
  Finding,
  FindingCode,
  SignatureConclusion,
  VerificationReport,
} from '../../verify/report/index.ts';

/** A signature or time-stamp of any format. */
export type AnyConclusion = VerificationReport['signatures'][number];

/** Verdict on a signature, its reason, and advice. */
export interface Verdict {
  readonly verdict: ReportVerdict;
  readonly advice?: ReportAdvice;
  /** Reason that the time-stamp proves nothing, if a proved time could have changed the verdict. */
  readonly cause?: ReportCause;
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

/** Verdicts that a proved time can change. */
const timely: ReadonlySet<ReportVerdict> = new Set([
  ...(['expired', 'tooSoon', 'early', 'issuerExpired'] as const),
  ...(['revoked', 'status', 'weak', 'unproved'] as const),
]);

/** The verdict on one signature or time-stamp, for people. */
export function verdictOf(conclusion: AnyConclusion): Verdict {
  if (conclusion.kind === 'document-timestamp') return ofStamp(conclusion);
  const verdict = withoutCause(conclusion);
  const cause = timely.has(verdict.verdict) ? causeOf(conclusion) : undefined;
  return cause === undefined ? verdict : { ...verdict, cause };
}

/** The verdict on a document time-stamp, with sentences about its time, not about signatures. */
function ofStamp(conclusion: AnyConclusion): Verdict {
  const { indication, findings, intact } = conclusion;
  if (indication === 'TOTAL-PASSED') return { verdict: 'stampPassed' };
  if (has(findings, 'timestamp.time.later')) {
    return { verdict: 'stampLater', advice: 'checkLater' };
  }
  const { verdict, advice = 'ask' } = withoutCause(conclusion);
  if (indication === 'TOTAL-FAILED' || intact === false) {
    return { verdict: 'stampFailed', advice: verdict === 'changed' ? 'original' : 'ask' };
  }
  if (verdict === 'untrusted') return { verdict: 'stampUntrusted', advice };
  return { verdict: 'stampOpen', advice: advice === 'resign' ? 'ask' : advice };
}

function withoutCause(conclusion: AnyConclusion): Verdict {
  const { indication, subIndication = '', findings, trusted, anchor } = conclusion;
  if (indication === 'TOTAL-PASSED') {
    if (has(findings, 'revocation.unknown')) return { verdict: 'unchecked' };
    return { verdict: statedSignerOf(conclusion) === undefined ? 'passed' : 'stated' };
  }
  const isRefuted = indication === 'TOTAL-FAILED';
  // The displayed content was not signed, which outweighs all open questions.
  if (!isRefuted && has(findings, 'document.changed')) return { verdict: 'later', advice: 'later' };
  // A second opinion only downgrades: a failure found by this program takes precedence.
  const isDoubted = has(findings, 'signature.second-opinion.disagrees');
  if (isDoubted && subIndication === 'GENERIC') return { verdict: 'doubted', advice: 'ask' };
  if (has(findings, 'signature.cms.empty')) return { verdict: 'empty', advice: 'resign' };
  if (subIndication.startsWith('REVOKED')) return { verdict: 'revoked', advice: 'resign' };
  // The signature value matches, but only for the bytes as encoded, not for their DER encoding.
  if (subIndication === 'SIG_CRYPTO_FAILURE' && !isRefuted) {
    return { verdict: 'malformed', advice: 'resign' };
  }
  // A path leads to an anchor but is too weak, whatever else is unknown.
  if (!trusted && anchor !== undefined && has(findings, 'algorithm.weak')) {
    return { verdict: 'weak', advice: 'resign' };
  }
  // Each algorithm may be strong, but the combination is not allowed.
  const isMisfit = has(findings, 'signature.digest.disallowed') && !has(findings, 'algorithm.weak');
  if (isMisfit && subIndication.startsWith('CRYPTO_')) {
    return { verdict: 'constraints', advice: 'resign' };
  }
  // The signed data exists, but its digest algorithm is unsupported; no further file would help.
  const isThere =
    has(findings, 'signature.reference.refused') && !has(findings, 'signature.reference.missing');
  if (subIndication === 'SIGNED_DATA_NOT_FOUND' && isThere)
    return { verdict: 'open', advice: 'ask' };
  if (subIndication === 'SIGNED_DATA_NOT_FOUND' && !lacksFiles(conclusion)) {
    const isFile = 'file' in conclusion && conclusion.file !== undefined;
    return { verdict: isFile ? 'missing' : 'missingPart', advice: 'original' };
  }
  const isStatus = trusted && has(findings, 'revocation.unknown');
  // The algorithms of the signature are acceptable; those of the revocation data are not.
  const isOfStatus = isStatus && subIndication.startsWith('CRYPTO_');
  const known = isOfStatus ? undefined : verdictOfSub[subIndication];
  if (known !== undefined) return known;
  // The path is valid at the proved time; only the revocation status can no longer be obtained.
  if (isStatus) return { verdict: 'status', advice: 'online' };
  if (/^(OUT_OF_BOUNDS|EXPIRED|NOT_YET_VALID)/.test(subIndication)) return outOfBounds(conclusion);
  return { verdict: isDoubted ? 'doubted' : 'open', advice: 'ask' };
}

/** The person who signed, as stated by the holder of the certificate. */
export function statedSignerOf(conclusion: AnyConclusion): string | undefined {
  return 'field' in conclusion ? conclusion.statedSigner : undefined;
}

/** Whether missing data may be a separate file: not part of the document or container. */
function lacksFiles(conclusion: AnyConclusion): boolean {
  if ('field' in conclusion || conclusion.file !== undefined) return false;
  if (!('references' in conclusion)) return true;
  return conclusion.references.some(({ status, uri }) => {
    return status === 'missing' && (uri === undefined || !/^(#|$)/.test(uri));
  });
}

/** Why the first time-stamp over the signature proves nothing. Undefined if a time is proved. */
function causeOf({ intact, timeProved, timestamps }: SignatureConclusion): ReportCause | undefined {
  const stamp = timestamps.find(({ covers }) => covers !== 'content');
  if (intact !== true || timeProved || stamp === undefined) return undefined;
  const { valid, trusted, timeProblem = '' } = stamp;
  if (timeProblem.startsWith('CRYPTO_CONSTRAINTS')) return 'weak';
  if (timeProblem === 'NO_POE') return 'later';
  return valid && !trusted ? 'untrusted' : 'open';
}

/** The verdict on a certificate used outside its validity period, before or after. */
function outOfBounds({ signer, bestTime, timeProved }: SignatureConclusion): Verdict {
  const atMs = Date.parse(bestTime);
  if (signer !== undefined && atMs > Date.parse(signer.notAfter)) {
    return { verdict: 'expired', advice: 'timely', date: signer.notAfter };
  }
  if (signer !== undefined && atMs < Date.parse(signer.notBefore)) {
    const date = signer.notBefore;
    // Without a proved time it is the time of validation that is too early, not the signature.
    if (!timeProved) return { verdict: 'tooSoon', advice: 'checkLater', date };
    return { verdict: 'early', advice: 'resign', date };
  }
  return { verdict: 'issuerExpired', advice: 'timely' };
}

/** The verdict on the document as a whole. */
export function headlineOf(report: VerificationReport): ReportHeadline {
  const { signatures, indication, coverage } = report;
  if (signatures.length === 0) {
    if ('removedSignatures' in report) return 'removed';
    return 'unnamedSignatures' in report ? 'unnamed' : 'none';
  }
  if (indication === 'TOTAL-FAILED') return 'failed';
  if (indication === 'INDETERMINATE') return 'open';
  return coverage === 'full' ? 'passed' : 'partial';
}

function has(findings: readonly Finding[], wanted: FindingCode): boolean {
  return findings.some(({ code, severity }) => code === wanted && severity !== 'info');
}
