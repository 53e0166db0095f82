import type { ReportInWords, ReportInWordsRequest } from '../../app/reports/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';

/** A report in words, for a page. The words are loaded when somebody asks for them. */
export async function verificationInWords(
  report: VerificationReport,
  request: ReportInWordsRequest,
): Promise<ReportInWords> {
  const { reportInWords } = await import('../../app/reports/index.ts');
  return reportInWords(report, request);
}
