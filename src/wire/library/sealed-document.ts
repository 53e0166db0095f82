import type { SealLevel } from '../../base/level.ts';
import type { VerificationReport } from '../../verify/report.ts';

/** A document that was sealed or augmented, and the conclusion on it. */
export interface SealedDocument<Report extends VerificationReport = VerificationReport> {
  /** The whole document; of a PDF the exact input followed by the updates. */
  readonly bytes: Uint8Array;
  /** The level that was reached. */
  readonly level: SealLevel;
  /** The conclusion on every signature; of a PDF at B-B it is made when it is first read. */
  readonly report: Report;
  /** What the caller should tell its user. */
  readonly warnings: readonly string[];
  /** Seals on the pages of a sealed PDF, 1 for an invisible one; absent otherwise. */
  readonly sealCount?: number;
  /** Id of a new XML signature; absent otherwise. */
  readonly id?: string;
}
