/** Reports of finished commands: loaded when the work is. */
export { commandLine, nextLine, sealLine } from './advice.ts';
export { sayOutcome, type WrittenOutcome } from './outcome.ts';
export { minute, nextStep, processDocument, processLines, processTable } from './process.ts';
export { sequenceDocument, sequenceLines, sequenceTable } from './sequence.ts';
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
