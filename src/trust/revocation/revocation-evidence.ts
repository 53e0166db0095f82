import { equalBytes } from '../../base/bytes.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { type Certificate, parseSignatureAlgorithm } from '../../formats/x509/index.ts';
import { type AlgorithmTable, findWeakness, findWeakPath } from '../algorithms/index.ts';
import type { CertificatePool } from '../path.ts';
import type { SignedValue } from '../signed.ts';

/** Context in which evidence is evaluated. */
export interface EvidenceQuestion {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  readonly atMs: number;
  readonly nowMs: number;
  readonly algorithms?: AlgorithmTable | undefined;
  /** Earliest proven existence of a piece of evidence, in epoch milliseconds. Default: `nowMs`. */
  existedAtMs(der: Uint8Array): number;
  /** Whether trusted lists authorise the signer of a response for the issuer at that time. */
  isListedResponder(responder: Certificate, issuer: Certificate, atMs: number): boolean;
  /** `isSignedBy` with a limit: hostile data may contain many values that appear relevant. */
  isSignedBy(value: SignedValue, signer: Certificate): boolean;
  /** The status of a signer by the available evidence, for evidence that existed at that time. */
  statusOf(
    certificate: Certificate,
    issuer: Certificate,
    existedMs: number,
  ): 'good' | 'revoked' | 'unknown';
}

/**
 * A statement by an authorised signer, in an OCSP response or CRL, about a certificate.
 * {@link checkGood} decides whether `good` is accepted; `revoked` counts in spite of other faults.
 */
export interface Evidence {
  readonly source: 'ocsp' | 'crl';
  readonly der: Uint8Array;
  /** Other CRLs on which the statement also depends: delta CRLs, and CRLs for other reasons. */
  readonly further?: readonly Uint8Array[];
  /** Signed bytes and signature algorithm. */
  readonly signed: SignedValue;
  readonly status: 'good' | 'revoked';
  readonly responder: Certificate;
  /** Status of the signer of the evidence. Default: good. */
  readonly responderStatus?: 'good' | 'unknown';
  /**
   * A trusted list authorises the responder, which the issuer has not certified or whose status is
   * unknown: either at the time stated in the response (`then`), or also when it provably existed
   * (`still`).
   */
  readonly listed?: 'then' | 'still';
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  /** Time of signing, in epoch milliseconds. Default: `thisUpdateMs`. */
  readonly producedAtMs?: number;
  /** Certificates that expired at this time or later are still covered. */
  readonly expiredFromMs?: number;
  readonly revokedAtMs?: number;
  readonly reason?: string;
  /** Fault that prevents it from proving `good`, as found when it was read. */
  readonly flaw?: string;
}

/** Tolerated clock skew: five minutes. */
const clockSkewMs = 5 * 60_000;
/** Validity of evidence without nextUpdate, in milliseconds: one day. */
const OPEN_ENDED_MS = 24 * 3_600_000;

/** The reason that evidence is not valid at the time in question; undefined if it is. */
export function checkFreshness(
  what: string,
  evidence: { readonly thisUpdateMs: number; readonly nextUpdateMs?: number },
  question: EvidenceQuestion,
): string | undefined {
  const { thisUpdateMs, nextUpdateMs } = evidence;
  const until = Math.max(question.atMs, question.nowMs);
  if (thisUpdateMs > until + clockSkewMs) {
    return `the ${what} of ${isoTime(thisUpdateMs)} is later than ${isoTime(until)}`;
  }
  const end = nextUpdateMs ?? thisUpdateMs + OPEN_ENDED_MS;
  if (end < question.atMs - clockSkewMs) {
    return (
      `the ${what} is stale: it was valid until ${isoTime(end)}, not ` + `${isoTime(question.atMs)}`
    );
  }
  return undefined;
}

/** The kind of evidence, for messages. */
export function kindOf(source: Evidence['source']): string {
  return source === 'ocsp' ? 'OCSP response' : 'CRL';
}

/**
 * The reason that evidence does not prove `good`; undefined if it does. The evidence must be valid
 * at the time in question, not older than the certificate, signed within the validity period of its
 * signer, and issued while its issuer still reported on the certificate. Its strength is evaluated
 * by {@link findWeakEvidence}.
 *
 * @spec ETSI EN 319 102-1 §5.2.5; RFC 6960 §3.2, §4.2.2.1; RFC 5280 §6.3.3
 */
export function checkGood(evidence: Evidence, question: EvidenceQuestion): string | undefined {
  const { thisUpdateMs, nextUpdateMs, producedAtMs = thisUpdateMs } = evidence;
  const { certificate } = question;
  const what = kindOf(evidence.source);
  const of = () => `the ${what} of ${isoTime(thisUpdateMs)}`;
  if (thisUpdateMs > producedAtMs) {
    return `${of()} states a time after its signature, ${isoTime(producedAtMs)}`;
  }
  if (nextUpdateMs !== undefined && nextUpdateMs < thisUpdateMs) {
    return `${of()} ends before it starts, at ${isoTime(nextUpdateMs)}`;
  }
  if (thisUpdateMs < certificate.notBeforeMs) {
    return `${of()} is older than the certificate of ${isoTime(certificate.notBeforeMs)}`;
  }
  if (evidence.flaw !== undefined) return evidence.flaw;
  const endMs = certificate.notAfterMs + 1000;
  if (thisUpdateMs >= endMs && (evidence.expiredFromMs ?? endMs) >= endMs) {
    return `the ${what} was issued after the certificate expired`;
  }
  const outside = checkPeriod(evidence.responder, producedAtMs);
  if (outside !== undefined) return `the certificate that signed the ${what} ${outside}`;
  return checkFreshness(what, evidence, question);
}

/**
 * The reason that evidence is too weak at its earliest proven time of existence; undefined if it is
 * not.
 *
 * @spec ETSI EN 319 102-1 §5.2.8
 */
export function findWeakEvidence(
  { source, der, responder, signed, listed }: Evidence,
  question: Pick<EvidenceQuestion, 'issuer' | 'nowMs' | 'algorithms' | 'existedAtMs'>,
): string | undefined {
  const { issuer, nowMs, algorithms } = question;
  const isIssuer = responder === issuer || equalBytes(responder.der, issuer.der);
  const weakAt = (atMs: number) => {
    const when = { atMs, table: algorithms };
    const algorithm = parseSignatureAlgorithm(signed.signatureAlgorithm);
    const own = findWeakness(algorithm, responder, when);
    // A listed signer is trusted directly, whoever issued its certificate.
    const isTop = isIssuer || listed !== undefined;
    return own ?? (isTop ? undefined : findWeakPath([responder, issuer], when));
  };
  // Only evidence that is too weak now must have a proof of existence from earlier.
  const weakness = weakAt(nowMs) === undefined ? undefined : weakAt(question.existedAtMs(der));
  const what = kindOf(source);
  return weakness === undefined ? undefined : `the ${what} proves nothing: ${weakness}`;
}

/**
 * The reason that evidence no longer proves `good`; undefined if it still does. It no longer does
 * once its signer's certificate has expired, unless it provably existed before. Anchors are trusted
 * at any time, and so are responders that a trusted list still authorises. A response by a
 * responder that is no longer authorised must provably be older than the withdrawal.
 *
 * @spec ETSI EN 319 102-1 §5.2.6.4, §5.6.2.1
 */
export function findOutdatedEvidence(
  evidence: Evidence,
  question: OutdatedQuestion,
): string | undefined {
  const { source, der, responder, thisUpdateMs, listed } = evidence;
  const what = kindOf(source);
  const of = () => `the ${what} of ${isoTime(thisUpdateMs)}`;
  if (listed === 'then') {
    return `${of()} is not proved to have existed before the trusted list withdrew its responder`;
  }
  if (question.nowMs + clockSkewMs < responder.notBeforeMs) {
    if (isAnchor(responder, question)) return undefined;
    return `the certificate that signed the ${what} is not valid yet`;
  }
  if (!isPastEvidence(evidence, question)) return undefined;
  if (question.existedAtMs(der) < responder.notAfterMs + 1000) return undefined;
  const ended = `its signer's certificate expired on ${isoTime(responder.notAfterMs)}`;
  return `${of()} is not proved to have existed before ${ended}`;
}

/** The part of the question that {@link findOutdatedEvidence} needs. */
export type OutdatedQuestion = Pick<EvidenceQuestion, 'anchors' | 'nowMs' | 'existedAtMs'>;

/**
 * Whether the certificate of the signer has expired since. The evidence is then part of a past
 * validation and needs a proof of existence.
 */
export function isPastEvidence(
  { responder, listed }: Evidence,
  question: Pick<EvidenceQuestion, 'anchors' | 'nowMs'>,
): boolean {
  const isOver = question.nowMs >= responder.notAfterMs + 1000;
  return isOver && listed !== 'still' && !isAnchor(responder, question);
}

function isAnchor(responder: Certificate, { anchors }: Pick<EvidenceQuestion, 'anchors'>): boolean {
  return anchors.some((anchor) => equalBytes(anchor.der, responder.der));
}

/** The fault of a certificate outside its validity period at a time; otherwise undefined. */
export function checkPeriod(certificate: Certificate, atMs: number): string | undefined {
  if (atMs + clockSkewMs < certificate.notBeforeMs) return `was not valid yet at ${isoTime(atMs)}`;
  if (atMs >= certificate.notAfterMs + 1000) return `had expired at ${isoTime(atMs)}`;
  return undefined;
}
