/** Text extraction from PDF documents with pdf.js, in separate processes. */

export { documentTexts, type TextReaderOptions } from './document-texts.ts';
