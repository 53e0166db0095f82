import { isInnsigliError } from '../base/errors.ts';
import { isoTime } from '../base/time/iso-time.ts';
import type { Certificate } from '../formats/x509/index.ts';
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
  /** `isSignedBy` under a bound: hostile data may hold many values that all look fitting. */
  isSignedBy(value: SignedValue, signer: Certificate): boolean;
  /** True when the evidence at hand says that a signer of evidence is itself revoked. */
  isRevoked(certificate: Certificate, issuer: Certificate): boolean;
}

/** What a verified OCSP response or CRL says about a certificate. */
export interface Evidence {
  readonly source: 'ocsp' | 'crl';
  readonly der: Uint8Array;
  readonly status: 'good' | 'revoked';
  readonly responder: Certificate;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  readonly revokedAtMs?: number;
  readonly reason?: string;
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
