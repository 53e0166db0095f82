import type { Certificate } from '../../formats/x509/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import type { QualificationReport } from './qualification.types.ts';
import type { Qualifier } from './qualifier.ts';

/** What of a verification says what is qualified. */
interface QualifyingContext {
  readonly pool: CertificatePool;
  /** Absent when no trusted lists were given. */
  readonly qualifier?: Qualifier | undefined;
}

/** The member of a report: nothing without lists, or without a signer. */
interface Qualified {
  readonly qualification?: QualificationReport;
}

/** What the certificate of a signer makes of a signature, ready to be spread into its report. */
export function describeQualification(
  { pool, qualifier }: QualifyingContext,
  certificate: Certificate | undefined,
  bestTimeMs: number,
): Qualified {
  if (qualifier === undefined || certificate === undefined) return {};
  return { qualification: qualifier.ofSigner(certificate, bestTimeMs, pool) };
}

/** What a time-stamp is by its authority, ready to be spread into its report. */
export function describeTimestampQualification(
  { pool, qualifier }: QualifyingContext,
  verdict: TimestampVerdict,
): Qualified {
  const qualification = qualifier?.ofTimestamp(verdict, pool);
  return qualification === undefined ? {} : { qualification };
}
