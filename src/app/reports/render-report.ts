import { createHash } from 'node:crypto';
import { type ByteSource, scanBytes } from '../../base/bytes.ts';
import { type LocaleCode, locales } from '../../base/words/index.ts';
import type { StampFonts } from '../../seal/appearance/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import type { ReportedDocument, ReportSubject } from './report-view.ts';

/**
 * Formats of a report, named after the file extension. `json`: the output of `--json`; `html`,
 * `pdf`: for people; `xml`: a validation report according to ETSI TS 119 102-2.
 */
export const reportFormats = ['json', 'html', 'pdf', 'xml'] as const;

/** One of {@link reportFormats}. */
export type ReportFormat = (typeof reportFormats)[number];

/** Format and language of a report. */
export interface ReportRequest extends ReportSubject {
  readonly format: ReportFormat;
  /** Language of `html` and `pdf`. Default: English. */
  readonly language?: LocaleCode | undefined;
  readonly software: string;
}

/** Dependencies of {@link renderReport}. */
export interface ReportPorts {
  /** The fonts of the PDF. */
  fonts(): Promise<StampFonts>;
}

/**
 * Renders a report as a file. The same report always yields the same bytes.
 *
 * @throws font.invalid, limit.exceeded
 */
export async function renderReport(
  report: VerificationReport,
  { format, language = 'en', document, software }: ReportRequest,
  { fonts }: ReportPorts,
): Promise<Uint8Array> {
  if (format === 'json') {
    // Signed data requested by a caller is not part of a report file.
    const left = (name: string, value: unknown) => (name === 'bytes' ? undefined : value);
    return Buffer.from(`${JSON.stringify(report, left, 2)}\n`, 'utf8');
  }
  if (format === 'xml') {
    const { etsiReport } = await import('./etsi/index.ts');
    return Buffer.from(etsiReport(report, document), 'utf8');
  }
  const { viewOf } = await import('./report-view.ts');
  const view = viewOf(report, { document, software }, language);
  if (format === 'html') {
    const { reportHtml } = await import('./html.ts');
    return Buffer.from(reportHtml(view), 'utf8');
  }
  const { reportPdf } = await import('./pdf.ts');
  const about = { madeAtMs: Date.parse(report.verifiedAt), producer: software };
  return reportPdf(view, about, await fonts());
}

/** The format for the extension of a file name. Undefined if it has none of them. */
export function reportFormatOf(name: string): ReportFormat | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  return reportFormats.find((each) => each === ending);
}

/** Whether the code is one of {@link locales}. */
export function isReportLanguage(code: string): code is LocaleCode {
  return locales.some((each) => each === code);
}

/** Describes a file for a report: the last part of its name, its length and its digest. */
export function describeDocument(name: string | undefined, source: ByteSource): ReportedDocument {
  const hash = createHash('sha256');
  const { lengthBytes } = source;
  scanBytes(source, 0, lengthBytes, (piece) => hash.update(piece));
  return { name: name?.split(/[\\/]/).at(-1), lengthBytes, sha256: hash.digest('hex') };
}
