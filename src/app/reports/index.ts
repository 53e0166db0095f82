/** Reports of `verify` for people and for other programs. */
export { type Heading, headingOf } from './heading.ts';
export {
  isReportLanguage,
  type ReportFormat,
  type ReportPorts,
  type ReportRequest,
  renderReport,
  reportFormatOf,
  reportFormats,
} from './render-report.ts';
export { type ReportInWords, type ReportInWordsRequest, reportInWords } from './report-in-words.ts';
export type { ReportedDocument, SignatureView, Tone } from './report-view.ts';
export { describeDocument } from './reported-document.ts';
export { headlineSentence, type Sentences, type ShowName, sentencesOf } from './sentences.ts';
export { type AnyConclusion, headlineOf, verdictOf } from './verdict.ts';
export type { ViewRow } from './view-row.ts';
