import type { TrustService } from '../../formats/tsl/index.ts';

/** A verified trusted list, as far as it matters for what is qualified. */
export interface ListEvidence {
  readonly territory: string;
  readonly sequenceNumber: number;
  readonly services: readonly TrustService[];
  /** Reason for not using the list, such as an overdue update. */
  readonly problem?: string;
}

/**
 * Result for a signature or time-stamp by the trusted lists: a qualified electronic signature or
 * seal (`QESig`, `QESeal`), an advanced one with a qualified certificate (`AdESig-QC`,
 * `AdESeal-QC`) or with another one (`AdESig`, `AdESeal`), those of unknown purpose (`QES`,
 * `AdES-QC`, `AdES`), a qualified time-stamp or another (`QTST`, `TST`); `not-AdES` if it is not
 * valid or its certificate is not for signatures; INDETERMINATE if the lists do not decide it.
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

/** Qualification of one signature or time-stamp by trusted lists. */
export interface QualificationReport {
  readonly result: QualificationResult;
  /** Reasons, in the order of the checks. */
  readonly reasons: readonly string[];
  /** The certificate of a signer; absent for time-stamps. */
  readonly certificate?: {
    readonly atIssuance: CertificateStatus;
    readonly atBestTime: CertificateStatus;
  };
  /** The service that issued the certificate, as it was at the best time. */
  readonly service?: ServiceSummary;
}

/** Status of a certificate at one time. */
export interface CertificateStatus {
  /** ISO 8601. */
  readonly time: string;
  /** Undefined when the lists do not say. */
  readonly qualified?: boolean;
  readonly purpose: 'esig' | 'eseal' | 'web' | 'unknown';
  /** The key is in a qualified device for creating signatures. */
  readonly device: boolean;
}

/** A service of a trusted list. */
export interface ServiceSummary {
  readonly territory: string;
  /** Sequence number of the list. */
  readonly list: number;
  readonly provider: string;
  readonly name: string;
  /** Last part of its type: `CA/QC`, `TSA/QTST`. */
  readonly type: string;
  /** Last part of its status: `granted`, `withdrawn`. */
  readonly status: string;
  /** ISO 8601: when it got that status. */
  readonly since: string;
}
