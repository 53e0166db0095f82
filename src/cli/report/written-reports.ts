import {
  describeDocument,
  isReportLanguage,
  type ReportFormat,
  renderReport,
  reportFormatOf,
  reportFormats,
} from '../../app/reports/index.ts';
import { type LocaleCode, locales } from '../../base/words/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { loadFonts } from '../../wire/fonts.ts';
import { type CommandContext, refuseUsage } from '../context.ts';
import { type InputFile, planOutput, writeOutput } from '../files/index.ts';
import { printable } from '../output/index.ts';
import { packageVersion } from '../version.ts';

/** Reports to write to files. */
export interface ReportFiles {
  readonly files: readonly { readonly name: string; readonly format: ReportFormat }[];
  readonly language: LocaleCode;
  /** Allows replacing existing files. */
  readonly force: boolean;
}

/**
 * Returns the requested reports; the extension of a file name determines the format.
 *
 * @throws usage.invalid
 */
export function readReportFiles(
  names: readonly string[],
  language: string | undefined,
  force: boolean,
): ReportFiles {
  const files = names.map((name) => {
    const format = reportFormatOf(name);
    if (format !== undefined) return { name, format };
    const endings = reportFormats.map((each) => `.${each}`).join(', ');
    return refuseUsage(`--write-report: expected a name with ${endings}, found "${name}"`);
  });
  const code = language?.toLowerCase() ?? 'en';
  if (isReportLanguage(code)) return { files, language: code, force };
  return refuseUsage(`--language: expected one of ${locales.join(', ')}, found "${language}"`);
}

const sameHint = 'choose a different name with --write-report';
const hints = { sameHint, existsHint: `${sameHint}, or pass --force to replace it` };

/**
 * Writes the reports on one document, reports that, and returns the names of their files. The
 * document itself is never replaced.
 *
 * @throws usage.output.same, usage.output.exists, io.output.unwritable, font.invalid
 */
export async function writeReports(
  document: InputFile,
  report: VerificationReport,
  { files, language, force }: ReportFiles,
  { io, console }: CommandContext,
): Promise<readonly string[]> {
  const plans = files.map(({ name, format }) => ({
    format,
    plan: planOutput(name, document, { force, ...hints }, io),
  }));
  const name = document.name === '-' ? undefined : document.name;
  const about = describeDocument(name, document.source);
  const software = `innsigli ${packageVersion()}`;
  for (const { format, plan } of plans) {
    const request = { format, language, document: about, software };
    const content = await renderReport(report, request, { fonts: loadFonts });
    writeOutput(plan, document, { keptBytes: 0, tail: content }, io);
  }
  const names = plans.map(({ plan }) => plan.name);
  if (!console.mode.json && !console.mode.quiet && names.length > 0) {
    console.result(['', ...names.map((each) => `Report written to ${printable(each)}`)]);
  }
  return names;
}
