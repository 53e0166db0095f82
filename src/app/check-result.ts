import { type ByteSource, settledSource } from '../base/bytes.ts';
import { CoreError } from '../base/errors.ts';
import { reachesLevel, type SealLevel } from '../base/level.ts';
import { openPdf, type PdfFile } from '../formats/pdf/index.ts';
import type { SignatureReport, VerificationReport } from '../verify/report.ts';
import { type VerificationContext, verifyPdf } from '../verify/verify-pdf.ts';

/**
 * The signatures that the input carries and that are intact; each that is not becomes a warning.
 * Sealing cannot mend a broken signature and does not make it worse.
 */
export function intactSignatures(
  file: PdfFile,
  signedCount: number,
  context: VerificationContext,
  warnings: string[],
): readonly SignatureReport[] {
  if (signedCount === 0) return [];
  const { signatures } = verifyPdf(file, context);
  for (const { intact, field, findings } of signatures) {
    if (intact) continue;
    const reason = findings[0]?.message ?? 'not intact';
    warnings.push(`the earlier signature «${field}» was not intact before sealing: ${reason}`);
  }
  return signatures.filter(({ intact }) => intact);
}

/** What the new signature must turn out to be. */
export interface Expectation {
  readonly field: string;
  /** Undefined: any, also none. */
  readonly level: SealLevel | undefined;
}

/**
 * Verifies a result from its bytes, as a stranger would: every earlier signature still intact,
 * the new one intact, covering the file as it was written, and at its level.
 *
 * @throws pdf.signature.broken when an earlier signature would not survive
 * @throws seal.selfcheck.failed when the result is not what it claims to be
 */
export function checkResult(
  source: ByteSource,
  context: VerificationContext,
  earlier: readonly SignatureReport[],
  expected: Expectation | undefined,
): VerificationReport {
  const report = verifyPdf(openPdf(settledSource(source)), context);
  for (const { field, byteRange } of earlier) {
    const now = report.signatures.find(
      (signature) => signature.field === field && signature.byteRange.join() === byteRange.join(),
    );
    if (now?.intact === true) continue;
    throw new CoreError('pdf.signature.broken', `«${field}» would not survive; nothing is written`);
  }
  if (expected === undefined) return report;
  const { field, level } = expected;
  const made = report.signatures.find((signature) => signature.field === field);
  if (made?.intact !== true || made.coverage === 'partial') {
    const reason = made?.findings[0]?.message ?? 'the signature is not found';
    throw new CoreError('seal.selfcheck.failed', `the new signature «${field}»: ${reason}`);
  }
  if (level !== undefined && !reachesLevel(made.level, level)) {
    const found = made.level ?? 'none';
    const reason = made.findings.map(({ message }) => message).join('; ');
    throw new CoreError(
      'seal.selfcheck.failed',
      `level ${level} expected, found ${found}. ${reason}`,
    );
  }
  return report;
}
