import type { ReportInWords, ReportInWordsRequest } from '../../app/reports/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';

/** A report in words, for a page. The texts are loaded on first use. */
export async function verificationInWords(
  report: VerificationReport,
  request: ReportInWordsRequest,
): Promise<ReportInWords> {
  const { reportInWords } = await import('../../app/reports/index.ts');
  return reportInWords(report, request);
}
