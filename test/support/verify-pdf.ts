import type { VerifyOptions } from '../../src/index.ts';
import type { PdfVerificationReport } from '../../src/verify/report/report.ts';
import { verifyDocument } from './verify-document.ts';

/** The report on a PDF; a document taken for something else fails the test. */
export async function verifyPdfDocument(
  document: Uint8Array,
  options: VerifyOptions = {},
): Promise<PdfVerificationReport> {
  const report = await verifyDocument(document, options);
  if (report.format !== 'pdf') throw new Error(`a PDF expected, found ${report.format}`);
  return report;
}
