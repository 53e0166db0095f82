import { equalBytes } from '../base/bytes.ts';
import { isInnsigliError } from '../base/errors.ts';
import { isoTime } from '../base/time/iso-time.ts';
import { type Certificate, parseSignatureAlgorithm } from '../formats/x509/index.ts';
import { findWeakness, findWeakPath } from './algorithm-policy.ts';
import type { AlgorithmTable } from './algorithm-suites.table.ts';
import type { CertificatePool } from './path.ts';
import type { SignedValue } from './signed.ts';

/** What a piece of evidence is asked. */
export interface EvidenceQuestion {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  readonly atMs: number;
  readonly nowMs: number;
  readonly algorithms?: AlgorithmTable | undefined;
  /** Since when a piece of evidence provably existed. Default: `nowMs`. */
  existedAtMs(der: Uint8Array): number;
  /** Whether the signer of an answer is authorised by lists for the issuer, at that time. */
  isListedResponder(responder: Certificate, issuer: Certificate, atMs: number): boolean;
  /** `isSignedBy` under a bound: hostile data may hold many values that all look fitting. */
  isSignedBy(value: SignedValue, signer: Certificate): boolean;
  /** What the evidence at hand says of the signer of evidence that existed at that time. */
  statusOf(
    certificate: Certificate,
    issuer: Certificate,
    existedMs: number,
  ): 'good' | 'revoked' | 'unknown';
}

/**
 * What an OCSP response or CRL says about a certificate, signed by one who may say so. Whether
 * `good` is also believed is for {@link checkGood}; `revoked` counts whatever else is wrong.
 */
export interface Evidence {
  readonly source: 'ocsp' | 'crl';
  readonly der: Uint8Array;
  /** Other CRLs without which it says less: delta CRLs, those for other reasons. */
  readonly further?: readonly Uint8Array[];
  /** What the signature is over, and its algorithm. */
  readonly signed: SignedValue;
  readonly status: 'good' | 'revoked';
  readonly responder: Certificate;
  /** Whether the signer of the evidence is itself known to be good. Default: good. */
  readonly responderStatus?: 'good' | 'unknown';
  /**
   * A trusted list authorises the responder, whom the issuer has not made or whose status is not
   * known: at the time that the answer states (`then`), or also when it provably existed (`still`).
   */
  readonly listed?: 'then' | 'still';
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  /** When it was signed. Default: `thisUpdateMs`. */
  readonly producedAtMs?: number;
  /** Certificates that expired at this time or later are still spoken of. */
  readonly expiredFromMs?: number;
  readonly revokedAtMs?: number;
  readonly reason?: string;
  /** Why it proves nothing good, as far as its reader knows. */
  readonly flaw?: string;
}

/** Clocks may differ by this much: five minutes. */
export const clockSkewMs = 5 * 60_000;
/** How long evidence without nextUpdate counts: a day. */
const OPEN_ENDED_MS = 24 * 3_600_000;

/** Why evidence is not of the time asked about, or undefined when it is. */
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
    return `the ${what} is stale: it was good until ${isoTime(end)}, not ${isoTime(question.atMs)}`;
  }
  return undefined;
}

/**
 * Why evidence that says `good` proves nothing, or undefined when it does: it must be of the time
 * asked about, not older than the certificate, signed in the period of its signer, and of a time
 * at which it still speaks of the certificate. How strong it is, {@link findWeakEvidence} says.
 *
 * @spec ETSI EN 319 102-1 §5.2.5; RFC 6960 §3.2, §4.2.2.1; RFC 5280 §6.3.3
 */
export function checkGood(evidence: Evidence, question: EvidenceQuestion): string | undefined {
  const { thisUpdateMs, nextUpdateMs, producedAtMs = thisUpdateMs } = evidence;
  const { certificate } = question;
  const what = evidence.source === 'ocsp' ? 'OCSP response' : 'CRL';
  const of = () => `the ${what} of ${isoTime(thisUpdateMs)}`;
  if (thisUpdateMs > producedAtMs) {
    return `${of()} states a time after its signature, ${isoTime(producedAtMs)}`;
  }
  if (nextUpdateMs !== undefined && nextUpdateMs < thisUpdateMs) {
    return `${of()} ends before it begins, at ${isoTime(nextUpdateMs)}`;
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
 * Why evidence is too weak to prove anything good, or undefined when it is strong enough: at the
 * time at which it provably existed.
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
    // Whom a list names is trusted for himself, whoever has signed his certificate.
    const isTop = isIssuer || listed !== undefined;
    return own ?? (isTop ? undefined : findWeakPath([responder, issuer], when));
  };
  // Only what is too weak by now has to be old.
  const weakness = weakAt(nowMs) === undefined ? undefined : weakAt(question.existedAtMs(der));
  const what = source === 'ocsp' ? 'OCSP response' : 'CRL';
  return weakness === undefined ? undefined : `the ${what} proves nothing: ${weakness}`;
}

/**
 * Why evidence that was good once proves nothing good any more, or undefined when it does: its
 * signer's certificate has expired, and nothing shows that it existed before. Anchors are trusted
 * at any time, and so are responders that a trusted list still authorises; an answer of one that
 * it does not authorise any more has to be older than that.
 *
 * @spec ETSI EN 319 102-1 §5.2.6.4, §5.6.2.1
 */
export function findOutdatedEvidence(
  { source, der, responder, thisUpdateMs, listed }: Evidence,
  question: Pick<EvidenceQuestion, 'anchors' | 'nowMs' | 'existedAtMs'>,
): string | undefined {
  const { anchors, nowMs } = question;
  const endMs = responder.notAfterMs + 1000;
  const what = source === 'ocsp' ? 'OCSP response' : 'CRL';
  const of = () => `the ${what} of ${isoTime(thisUpdateMs)}`;
  if (listed === 'then') {
    return `${of()} is not known to have existed before the trusted list withdrew its responder`;
  }
  const isEarly = nowMs + clockSkewMs < responder.notBeforeMs;
  const isOver = nowMs >= endMs && question.existedAtMs(der) >= endMs;
  if (!isEarly && (!isOver || listed === 'still')) return undefined;
  if (anchors.some((anchor) => equalBytes(anchor.der, responder.der))) return undefined;
  if (isEarly) return `the certificate that signed the ${what} is not valid yet`;
  const ended = `its signer's certificate expired on ${isoTime(responder.notAfterMs)}`;
  return `${of()} is not known to have existed before ${ended}`;
}

/** Why a certificate is out of its period at a time, or undefined when it is in it. */
export function checkPeriod(certificate: Certificate, atMs: number): string | undefined {
  if (atMs + clockSkewMs < certificate.notBeforeMs) return `was not valid yet at ${isoTime(atMs)}`;
  if (atMs >= certificate.notAfterMs + 1000) return `had expired at ${isoTime(atMs)}`;
  return undefined;
}

/** What `parse` gives, or the message of its error: damaged evidence is no error. */
export function tryParsing<T>(parse: () => T): T | string {
  try {
    return parse();
  } catch (error) {
    if (isInnsigliError(error)) return error.message;
    throw error;
  }
}
