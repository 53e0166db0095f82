import { isoTime } from '../base/time/iso-time.ts';
import type { Certificate, DigestAlgorithm, SignatureAlgorithm } from '../formats/x509/index.ts';
import { findWeakPath, findWeakProof } from '../trust/algorithms/index.ts';
import { findPath } from '../trust/path.ts';
import { checkSigningPurpose } from '../trust/purpose.ts';
import {
  checkPathStatus,
  type StatusContext,
  type StoredValidationData,
} from './existence/index.ts';
import { buildFinding } from './findings/index.ts';
import type { Finding, Indication } from './report/index.ts';
import { describeSigner } from './signer-summary.ts';

/** Main and sub-indication of a conclusion. @spec ETSI EN 319 102-1 §5.1.3 */
export interface Outcome {
  readonly indication: Indication;
  readonly subIndication?: string;
}

/** Conclusion on the trust in the signer of an intact signature. */
export interface TrustConclusion {
  readonly outcome: Outcome;
  readonly trusted: boolean;
  /** RFC 4514 name of the anchor, if a path leads to one. */
  readonly anchor?: string;
}

/** Input of {@link checkSigner}. */
export interface SignerQuestion {
  /** The certificate bound to the signature, whose key verified the signature value. */
  readonly certificate: Certificate;
  /** The best-signature-time from proof-of-existence.ts, or else the present. */
  readonly atMs: number;
  /** Algorithm of the signature value. */
  readonly algorithm: SignatureAlgorithm | undefined;
  /** Every digest algorithm that binds the signed data: message digest, references, manifests. */
  readonly digests: readonly (DigestAlgorithm | undefined)[];
  /** Finding about a digest algorithm that the signature algorithm does not permit, at any time. */
  readonly disallowedDigest?: Finding | undefined;
  /** Available OCSP responses and CRLs. The certificates must be in the pool of the context. */
  readonly data: StoredValidationData;
}

/**
 * Checks the signer of an intact signature of any format: a path to an anchor at the
 * best-signature-time, algorithms and keys of sufficient strength, a certificate for signing
 * documents, and no revocation up to that time. Findings are pushed onto `findings`:
 * `certificate.untrusted`, `algorithm.weak`, `signature.digest.disallowed`, `key.usage.forbidden`,
 * `certificate.revoked`, `revocation.unknown`.
 *
 * @spec ETSI EN 319 102-1 §5.2.6, §5.2.8
 */
export function checkSigner(
  question: SignerQuestion,
  context: StatusContext,
  findings: Finding[],
): TrustConclusion {
  const { certificate, atMs, disallowedDigest } = question;
  const { pool, anchors } = context;
  if (disallowedDigest !== undefined) findings.push(disallowedDigest);
  if (isProvedTooEarly(question, context)) {
    const proved = `a time-stamp proves ${isoTime(atMs)}`;
    const message = `${proved}, before the certificate of ${isoTime(certificate.notBeforeMs)}`;
    findings.push(buildFinding('certificate.untrusted', message));
    return refuted('NOT_YET_VALID');
  }
  const path = findPath({ certificate, pool, anchors, atMs });
  if (!path.valid) {
    findings.push(buildFinding('certificate.untrusted', path.message));
    if (path.problem !== 'OUT_OF_BOUNDS_NOT_REVOKED') return doubtful(path.problem);
    const conclusion = doubtful(checkExpired(question, path.path, context, findings));
    findWeakness(question, path.path, context, findings);
    return conclusion;
  }
  const weakness = findWeakness(question, path.path, context, findings);
  const [misuse] = checkSigningPurpose(certificate, path.path.length === 1);
  if (misuse !== undefined) {
    findings.push(buildFinding('key.usage.forbidden', misuse));
    return doubtful('CHAIN_CONSTRAINTS_FAILURE');
  }
  const anchor = path.path[path.path.length - 1] as Certificate;
  const status = checkStatus(question, path.path, context, findings);
  const conclusion = weighed(status, weakness, context);
  const trusted = conclusion.trusted && weakness === undefined;
  return { ...conclusion, trusted, anchor: describeSigner(anchor).subject };
}

function findWeakness(
  question: SignerQuestion,
  path: readonly Certificate[],
  { algorithms }: StatusContext,
  findings: Finding[],
): string | undefined {
  const when = { atMs: question.atMs, table: algorithms };
  const weakness = findWeakProof({ ...question, path }, when);
  if (weakness !== undefined) findings.push(buildFinding('algorithm.weak', weakness));
  return weakness ?? question.disallowedDigest?.message;
}

/**
 * Certificate validation precedes signature acceptance. If no revocation status is required, an
 * unknown status does not decide, but a weak algorithm does.
 *
 * @spec ETSI EN 319 102-1 §5.3.4
 */
function weighed(
  conclusion: TrustConclusion,
  weakness: string | undefined,
  { revocation }: StatusContext,
): TrustConclusion {
  const { indication, subIndication = '' } = conclusion.outcome;
  const isOpen = revocation?.mode === 'ignore' && subIndication.endsWith(EXPIRED);
  const isDecisive = indication === 'TOTAL-PASSED' || isOpen;
  if (weakness === undefined || !isDecisive) return conclusion;
  return doubtful(WEAK);
}

/**
 * The conclusion on a signature that is not intact: TOTAL-FAILED, but INDETERMINATE if the
 * certificate is missing or an algorithm is unknown, because nothing was refuted then.
 */
export function checkBroken(subIndication = 'FORMAT_FAILURE'): TrustConclusion {
  const missing = subIndication === 'NO_SIGNING_CERTIFICATE_FOUND';
  if (missing || subIndication.startsWith('CRYPTO_')) return doubtful(subIndication);
  return refuted(subIndication);
}

/**
 * True if a time-stamp proves that the signature existed before its certificate was valid, even if
 * the certificate is an anchor. The time of verification is arbitrary and proves nothing.
 *
 * @spec ETSI EN 319 102-1 §5.5.4
 */
function isProvedTooEarly(
  { certificate, atMs }: SignerQuestion,
  { nowMs }: StatusContext,
): boolean {
  return atMs < nowMs && atMs < certificate.notBeforeMs;
}

function refuted(subIndication: string): TrustConclusion {
  return { outcome: { indication: 'TOTAL-FAILED', subIndication }, trusted: false };
}

function doubtful(subIndication: string): TrustConclusion {
  return { outcome: { indication: 'INDETERMINATE', subIndication }, trusted: false };
}

const OUTDATED = 'REVOCATION_OUT_OF_BOUNDS_NO_POE';
const EXPIRED = 'OUT_OF_BOUNDS_NO_POE';
const WEAK = 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';

/** @spec ETSI EN 319 102-1 §5.2.6, §5.6.2.2 */
function checkStatus(
  { certificate, data, atMs }: SignerQuestion,
  path: readonly Certificate[],
  context: StatusContext,
  findings: Finding[],
): TrustConclusion {
  const verdict = checkPathStatus(path, data, { atMs, isOutdatedRefused: true }, context);
  const { status, message, revokedLater, isByPastEvidence } = verdict;
  const isIgnored = context.revocation?.mode === 'ignore';
  // The control time slides over the status of each certificate in the path: a missing status is
  // not ignored if that of the signer is proven by past evidence only.
  const isOpen = isIgnored && isByPastEvidence === true && verdict.subIndication !== WEAK;
  const subIndication = isOpen ? OUTDATED : (verdict.subIndication ?? 'TRY_LATER');
  const isRevoked = status === 'revoked';
  const revocation = isRevoked ? message : revokedLater;
  if (revocation !== undefined) findings.push(buildFinding('certificate.revoked', revocation));
  if (isRevoked) return doubtful(subIndication);
  if (status === 'unknown') {
    const why = `revocation not checked: ${message}`;
    findings.push(buildFinding('revocation.unknown', why));
    // Expired certificates need no published revocation status, so a proven time is not sufficient.
    const isOver = context.nowMs >= certificate.notAfterMs + 1000;
    const isWeak = subIndication === WEAK;
    if (isOver || isWeak || subIndication === OUTDATED || !isIgnored) {
      return { ...doubtful(isOver && !isWeak ? EXPIRED : subIndication), trusted: true };
    }
  }
  return { outcome: { indication: 'TOTAL-PASSED' }, trusted: true };
}

/**
 * The sub-indication for a path that is valid except for the time: whether it is known that no
 * certificate was revoked while it was valid.
 *
 * @spec ETSI EN 319 102-1 §5.2.6.4
 */
function checkExpired(
  { certificate, data, atMs, disallowedDigest }: SignerQuestion,
  path: readonly Certificate[],
  context: StatusContext,
  findings: Finding[],
): string {
  // Evidence from any time in the validity period is sufficient; only the time after it is unknown.
  const times = { atMs: certificate.notBeforeMs, untilMs: atMs, isOutdatedRefused: true };
  const { status, message, subIndication } = checkPathStatus(path, data, times, context);
  if (status === 'revoked' && subIndication !== 'TRY_LATER') {
    findings.push(buildFinding('certificate.revoked', message));
    return subIndication ?? 'REVOKED_NO_POE';
  }
  if (subIndication === WEAK) {
    findings.push(buildFinding('revocation.unknown', `revocation not checked: ${message}`));
    return WEAK;
  }
  // If a required status is missing, algorithms are not checked. The algorithms of the certificate
  // and its status are checked before its validity period, those of the rest of the path and of the
  // signature after it. A digest that its algorithm does not permit is the exception: a proven time
  // would not repair it.
  const isChecked = status === 'good' || context.revocation?.mode === 'ignore';
  const weakness = findWeakPath(path.slice(0, 2), { atMs, table: context.algorithms });
  if (isChecked && (weakness ?? disallowedDigest) !== undefined) return WEAK;
  return status === 'good' ? 'OUT_OF_BOUNDS_NOT_REVOKED' : EXPIRED;
}
