import { equalBytes } from '../../base/bytes.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { type Certificate, parseSignatureAlgorithm } from '../../formats/x509/index.ts';
import { type AlgorithmTable, findWeakness, findWeakPath } from '../algorithms/index.ts';
import type { CertificatePool } from '../path.ts';
import type { SignedValue } from '../signed.ts';

/** Question to a piece of evidence. */
export interface EvidenceQuestion {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  readonly atMs: number;
  readonly nowMs: number;
  readonly algorithms?: AlgorithmTable | undefined;
  /**
   * Earliest proved time of existence of a piece of evidence, in epoch milliseconds. Default:
   * `nowMs`.
   */
  existedAtMs(der: Uint8Array): number;
  /** True if trusted lists authorise the signer of a response for the issuer, at that time. */
  isListedResponder(responder: Certificate, issuer: Certificate, atMs: number): boolean;
  /** `isSignedBy` under a bound: hostile data may hold many values that all look fitting. */
  isSignedBy(value: SignedValue, signer: Certificate): boolean;
  /** The status of a signer by the evidence at hand, for evidence that existed at that time. */
  statusOf(
    certificate: Certificate,
    issuer: Certificate,
    existedMs: number,
  ): 'good' | 'revoked' | 'unknown';
}

/**
 * Statement of an OCSP response or CRL about a certificate, by an authorised signer.
 * {@link checkGood} decides whether `good` is accepted; `revoked` counts in spite of other faults.
 */
export interface Evidence {
  readonly source: 'ocsp' | 'crl';
  readonly der: Uint8Array;
  /** Other CRLs without which it says less: delta CRLs, those for other reasons. */
  readonly further?: readonly Uint8Array[];
  /** Signed bytes and signature algorithm. */
  readonly signed: SignedValue;
  readonly status: 'good' | 'revoked';
  readonly responder: Certificate;
  /** Status of the signer of the evidence. Default: good. */
  readonly responderStatus?: 'good' | 'unknown';
  /**
   * A trusted list authorises the responder, which the issuer has not certified or whose status is
   * not known: at the time that the response states (`then`), or also when it provably existed
   * (`still`).
   */
  readonly listed?: 'then' | 'still';
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  /** Time of signing, in epoch milliseconds. Default: `thisUpdateMs`. */
  readonly producedAtMs?: number;
  /** Certificates that expired at this time or later are still spoken of. */
  readonly expiredFromMs?: number;
  readonly revokedAtMs?: number;
  readonly reason?: string;
  /** Fault that keeps it from proving `good`, as far as its reader can tell. */
  readonly flaw?: string;
}

/** Clocks may differ by this much: five minutes. */
const clockSkewMs = 5 * 60_000;
/** Validity of evidence without nextUpdate in milliseconds: a day. */
const OPEN_ENDED_MS = 24 * 3_600_000;

/** The reason that evidence is not valid at the time in question, or undefined. */
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

/** What evidence is, for messages. */
export function kindOf(source: Evidence['source']): string {
  return source === 'ocsp' ? 'OCSP response' : 'CRL';
}

/**
 * The reason that evidence does not prove `good`, or undefined: it must be valid at the time in
 * question, not older than the certificate, signed in the validity period of its signer, and made
 * while its issuer still reports on the certificate. {@link findWeakEvidence} judges its strength.
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
 * The reason that evidence is too weak at the earliest proved time of its existence, or undefined.
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
    // A listed signer is trusted for itself, independent of the issuer of its certificate.
    const isTop = isIssuer || listed !== undefined;
    return own ?? (isTop ? undefined : findWeakPath([responder, issuer], when));
  };
  // Only what is too weak by now has to be old.
  const weakness = weakAt(nowMs) === undefined ? undefined : weakAt(question.existedAtMs(der));
  const what = kindOf(source);
  return weakness === undefined ? undefined : `the ${what} proves nothing: ${weakness}`;
}

/**
 * The reason that evidence no longer proves `good`, or undefined: its signer's certificate has
 * expired, and no proof shows that it existed before. Anchors are trusted at any time, and so are
 * responders that a trusted list still authorises; a response by one no longer authorised must be
 * older than that.
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

/** Part of the question for {@link findOutdatedEvidence}. */
export type OutdatedQuestion = Pick<EvidenceQuestion, 'anchors' | 'nowMs' | 'existedAtMs'>;

/**
 * True when the certificate of the signer has expired since: what the evidence says is then part
 * of a past validation, and counts only by a proof of existence.
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

/** The fault of a certificate outside of its validity period at a time, or undefined. */
export function checkPeriod(certificate: Certificate, atMs: number): string | undefined {
  if (atMs + clockSkewMs < certificate.notBeforeMs) return `was not valid yet at ${isoTime(atMs)}`;
  if (atMs >= certificate.notAfterMs + 1000) return `had expired at ${isoTime(atMs)}`;
  return undefined;
}
