import type { LocaleCode } from '../../base/words/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { type ReportView, viewOf } from './report-view.ts';
import { shownText } from './shown-text.ts';

/** A report for people without the words around it, which its reader has. */
export type ReportInWords = Omit<ReportView, 'words'>;

/** Language of a report in words, and the name of the file as somebody says it. */
export interface ReportInWordsRequest {
  readonly language: LocaleCode;
  readonly fileName: string;
}

/** Characters of the name of a file that are shown. */
const NAME_MAX = 120;

/** A report in words, for a page. */
export function reportInWords(
  report: VerificationReport,
  { language, fileName }: ReportInWordsRequest,
): ReportInWords {
  const name = shownText(fileName.split(/[\\/]/).at(-1) ?? '', NAME_MAX);
  const { words: _words, ...view } = viewOf(report, { document: { name } }, language);
  return view;
}
