import type { TrustService } from '../../formats/tsl/index.ts';

/** A verified trusted list, as far as needed to determine qualification. */
export interface ListEvidence {
  readonly territory: string;
  readonly sequenceNumber: number;
  readonly services: readonly TrustService[];
  /** Reason why the list cannot be used, such as an overdue update. */
  readonly problem?: string;
}

/**
 * Result for a signature or time-stamp according to the trusted lists: a qualified electronic
 * signature or seal (`QESig`, `QESeal`), an advanced one with a qualified certificate (`AdESig-QC`,
 * `AdESeal-QC`) or with a non-qualified one (`AdESig`, `AdESeal`), the same for an unknown purpose
 * (`QES`, `AdES-QC`, `AdES`), a qualified or non-qualified time-stamp (`QTST`, `TST`); `not-AdES`
 * if it is invalid or its certificate is not for signatures; INDETERMINATE if the lists do not
 * decide it.
 *
 * @spec ETSI TS 119 615 §4.4, §4.5, §4.7
 */
export type QualificationResult =
  | 'QESig'
  | 'QESeal'
  | 'QES'
  | 'AdESig-QC'
  | 'AdESeal-QC'
  | 'AdES-QC'
  | 'AdESig'
  | 'AdESeal'
  | 'AdES'
  | 'QTST'
  | 'TST'
  | 'not-AdES'
  | 'INDETERMINATE';

/** Qualification of one signature or time-stamp according to trusted lists. */
export interface QualificationReport {
  readonly result: QualificationResult;
  /** Reasons, in the order of the checks. */
  readonly reasons: readonly string[];
  /** The certificate of a signer. Absent for time-stamps. */
  readonly certificate?: {
    readonly atIssuance: CertificateStatus;
    readonly atBestTime: CertificateStatus;
  };
  /** The service that issued the certificate, at the best-signature-time. */
  readonly service?: ServiceSummary;
}

/** Status of a certificate at one time. */
export interface CertificateStatus {
  /** ISO 8601. */
  readonly time: string;
  /** Undefined if the lists do not state it. */
  readonly qualified?: boolean;
  readonly purpose: 'esig' | 'eseal' | 'web' | 'unknown';
  /** True if the key is in a qualified signature creation device. */
  readonly device: boolean;
}

/** A service of a trusted list. */
export interface ServiceSummary {
  readonly territory: string;
  /** Sequence number of the list. */
  readonly list: number;
  readonly provider: string;
  readonly name: string;
  /** Last segment of its type: `CA/QC`, `TSA/QTST`. */
  readonly type: string;
  /** Last segment of its status: `granted`, `withdrawn`. */
  readonly status: string;
  /** Start of this status, ISO 8601. */
  readonly since: string;
}
