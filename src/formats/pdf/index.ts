/** PDF: a reader that fetches only what is asked for, and a writer of incremental updates. */
export { isBudgetExceeded } from './budget.ts';
export { digestRanges } from './byte-range.ts';
export type { PdfPage } from './document.ts';
export { certificationOf, firstPage, inheritedEntry, listPages } from './document.ts';
export { requireModestContainers } from './every-container.ts';
export { hasField, listSignatureFields, type SignatureField } from './fields.ts';
export { type OpenOptions, openPdf, type PdfFile } from './file.ts';
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
} from './objects.ts';
export { type PageView, type PrintedPage, printBudget, readPrinted } from './printed/index.ts';
export { isMendable } from './recover-file.ts';
export { serializeObject } from './serializer.ts';
export { decodeText, encodeText, parsePdfDate, pdfDate } from './text.ts';
export { beginUpdate, type PdfUpdate, type PdfUpdateResult } from './update.ts';
export type { XrefEntry, XrefLocation, XrefPart, XrefSection } from './xref.ts';
