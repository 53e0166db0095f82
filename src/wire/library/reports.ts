import {
  describeDocument,
  isReportLanguage,
  type ReportFormat,
  renderReport as render,
  reportFormats,
} from '../../app/reports/index.ts';
import { memorySource } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { requireObject, wrongArgument } from '../../base/given.ts';
import { copyBytes, readableOptions, reading, taken } from '../../base/taken.ts';
import { type LocaleCode, locales } from '../../base/words/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { loadFonts } from '../fonts.ts';

/** Options of a report. */
export interface RenderReportOptions {
  /** `json`: unchanged; `html`, `pdf` (PDF/A-2a): for people; `xml`: ETSI TS 119 102-2. */
  readonly format: ReportFormat;
  /** Language of `html` and `pdf`. Default: `en`. */
  readonly language?: LocaleCode;
  /** The verified document. The report shows its name, length and SHA-256. Default: none. */
  readonly document?: {
    /** Name of the file. Default: none. */
    readonly name?: string;
    /** Its bytes. Default: none. */
    readonly content?: Uint8Array;
  };
}

/**
 * Renders a report as the bytes of a file. `xml` contains all certificates, time-stamps and
 * revocation data if the report comes from `verifyDocument`, and fewer if it was read from JSON.
 *
 * @throws usage.invalid, font.invalid, limit.exceeded
 * @example
 * const report = await verifyDocument(bytes, { trust: [root] });
 * const document = { name: 'contract.pdf', content: bytes };
 * const pdf = await renderReport(report, { format: 'pdf', language: 'de', document });
 */
export async function renderReport(
  report: VerificationReport,
  options: RenderReportOptions,
): Promise<Uint8Array> {
  const { format, language, document } = takeRenderOptions(options);
  requireReport(report);
  const { name, content } = document ?? {};
  const about = content === undefined ? { name } : describeDocument(name, memorySource(content));
  const request = { format, language, document: about, software: 'innsigli' };
  try {
    return await render(report, request, { fonts: loadFonts });
  } catch (error) {
    if (isInnsigliError(error)) throw error;
    throw wrongArgument('the report', 'a report of verifyDocument', report);
  }
}

const optionNames = { format: 1, language: 1, document: 1 } as const;

function takeRenderOptions(given: RenderReportOptions): RenderReportOptions {
  const options = taken('options', readableOptions('renderReport', given, optionNames));
  const { format, language, document } = options;
  if (!reportFormats.includes(format)) {
    throw wrongArgument('format', reportFormats.join(', '), format);
  }
  if (language !== undefined && !isReportLanguage(language)) {
    throw wrongArgument('language', locales.join(', '), language);
  }
  if (document === undefined) return options;
  requireObject('document', document);
  const { name, content } = readableOptions('document', document, { name: 1, content: 1 });
  if (name !== undefined && typeof name !== 'string') {
    throw wrongArgument('document.name', 'text', name);
  }
  if (content !== undefined) copyBytes('document.content', content);
  return options;
}

function requireReport(report: unknown): void {
  requireObject('the report', report);
  const { v, signatures } = reading('the report', () => {
    const { v, signatures } = report as Partial<VerificationReport>;
    return { v, signatures };
  });
  if (v === 1 && Array.isArray(signatures)) return;
  throw wrongArgument('the report', 'a report of verifyDocument', report);
}
