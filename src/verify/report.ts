import type { SealLevel } from '../base/level.ts';

/** Main indications. @spec ETSI EN 319 102-1 §5.1.3 */
export type Indication = 'TOTAL-PASSED' | 'INDETERMINATE' | 'TOTAL-FAILED';

/** One thing that the verifier noticed. */
export interface Finding {
  /** Stable dotted name: `signature.digest.mismatch`, `baseline.signing-time.present`, … */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Expected and found, for people. */
  readonly message: string;
}

/** Who signed, read from the certificate. */
export interface SignerSummary {
  /** RFC 4514 text. */
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** ISO 8601. */
  readonly notBefore: string;
  readonly notAfter: string;
}

/** A time-stamp over a signature or a document. */
export interface TimestampSummary {
  /** ISO 8601. */
  readonly time: string;
  readonly authority: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly valid: boolean;
  readonly trusted: boolean;
  /** RFC 4514 name of the anchor that makes it trusted. */
  readonly anchor?: string;
  /** Why it is not valid or not trusted. */
  readonly message?: string;
}

/** The judgement on one signature or document time-stamp. */
export interface SignatureReport {
  readonly kind: 'signature' | 'document-timestamp';
  /** Fully qualified field name. */
  readonly field: string;
  readonly subFilter: string;
  readonly indication: Indication;
  /** @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Level that the signature reaches in this file; absent when it is no baseline signature. */
  readonly level?: SealLevel;
  /** Digest and signature value fit the covered bytes. */
  readonly intact: boolean;
  /** A path leads to a given anchor at the best time known. */
  readonly trusted: boolean;
  /**
   * `whole-file`: every byte but the signature value itself; `revision`: the file as it was at
   * signing, later updates follow; `partial`: something else was left out.
   */
  readonly coverage: 'whole-file' | 'revision' | 'partial';
  readonly byteRange: readonly number[];
  readonly algorithm?: string;
  readonly signer?: SignerSummary;
  /** RFC 4514 name of the anchor that makes it trusted. */
  readonly anchor?: string;
  /** What the signer claims, ISO 8601. */
  readonly claimedTime?: string;
  /** The earliest time that is proved, else the time of verification, ISO 8601. */
  readonly bestTime: string;
  /** True when a time-stamp proves `bestTime`; else it is the time of verification. */
  readonly timeProved: boolean;
  readonly reason?: string;
  readonly location?: string;
  /** DocMDP permission, when this is a certification signature. */
  readonly certifies?: 1 | 2 | 3;
  readonly timestamps: readonly TimestampSummary[];
  readonly findings: readonly Finding[];
}

/** The answer of `verify`: never an error for a negative judgement. */
export interface VerificationReport {
  /** Version of this shape. */
  readonly v: 1;
  readonly format: 'pdf';
  /** The worst of all signatures; INDETERMINATE when there is none. */
  readonly indication: Indication;
  /** ISO 8601. */
  readonly verifiedAt: string;
  readonly signatures: readonly SignatureReport[];
  /** Bytes behind all that intact signatures cover; 0 also when no signature is intact. */
  readonly uncoveredBytes: number;
  /** What this version does not judge: read it before you rely on the report. */
  readonly notJudged: readonly string[];
}
