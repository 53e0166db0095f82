/** Reports of `verify` for people and for programs. */
export { type Heading, headingOf } from './heading.ts';
export {
  describeDocument,
  isReportLanguage,
  type ReportFormat,
  type ReportPorts,
  type ReportRequest,
  renderReport,
  reportFormatOf,
  reportFormats,
} from './render-report.ts';
export {
  type ReportedDocument,
  type ReportInWords,
  type ReportInWordsRequest,
  reportInWords,
  type SignatureView,
  type Tone,
} from './report-view.ts';
export { headlineSentence, type Sentences, type ShowName, sentencesOf } from './sentences.ts';
export { type AnyConclusion, headlineOf, verdictOf } from './verdict.ts';
export type { ViewRow } from './view-row.ts';
