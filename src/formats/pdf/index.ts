/** PDF: an on-demand reader, and a writer of incremental updates. */
export { listActiveContent } from './active-content.ts';
export { readUndamaged } from './budget.ts';
export { digestRanges } from './byte-range.ts';
export * from './document.ts';
export * from './fields.ts';
export { openPdf } from './file.ts';
export { withPdf } from './open-repaired.ts';
export type { OpenOptions, PdfFile } from './pdf-file.types.ts';
export {
  type PageView,
  type PrintBudget,
  type PrintedPage,
  printBudget,
  readPrinted,
} from './printed/index.ts';
export { requireSmallContainers } from './repair/every-container.ts';
export {
  asArray,
  asDict,
  asInteger,
  asName,
  asNumber,
  asReference,
  asStream,
  asString,
  type PdfDict,
  PdfName,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  PdfString,
  pdfName,
} from './syntax/objects.ts';
export { serializeObject } from './syntax/serializer.ts';
export { decodeText, encodeText, parsePdfDate, pdfDate } from './syntax/text.ts';
export { beginUpdate, type PdfUpdate, type PdfUpdateResult } from './update.ts';
export type { XrefPart, XrefSection } from './xref/xref.ts';
