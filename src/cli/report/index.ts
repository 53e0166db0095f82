/** Reports on documents, loaded after the work. */
export { printOutcome, type WrittenOutcome } from './outcome.ts';
export {
  hintLines,
  hintOf,
  notCheckedLines,
  reportDocument,
  reportLines,
  uncoveredText,
  type Verified,
} from './verification.ts';
export { type ReportFiles, readReportFiles, writeReports } from './written-reports.ts';
