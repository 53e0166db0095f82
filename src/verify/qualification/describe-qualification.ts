import type { Certificate } from '../../formats/x509/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import type { QualificationReport } from './qualification.types.ts';
import type { Qualifier } from './qualifier.ts';

interface QualifyingContext {
  readonly pool: CertificatePool;
  /** Undefined if no trusted lists were given. */
  readonly qualifier?: Qualifier | undefined;
}

/** The member of a report. Empty without lists or without a signer. */
interface Qualified {
  readonly qualification?: QualificationReport;
}

/** The qualification of a signature by its signer's certificate, as members of its report. */
export function describeQualification(
  { pool, qualifier }: QualifyingContext,
  certificate: Certificate | undefined,
  bestTimeMs: number,
): Qualified {
  if (qualifier === undefined || certificate === undefined) return {};
  return { qualification: qualifier.ofSigner(certificate, bestTimeMs, pool) };
}

/** The qualification of a time-stamp by its authority, as members of its report. */
export function describeTimestampQualification(
  { pool, qualifier }: QualifyingContext,
  verdict: TimestampVerdict,
): Qualified {
  const qualification = qualifier?.ofTimestamp(verdict, pool);
  return qualification === undefined ? {} : { qualification };
}
