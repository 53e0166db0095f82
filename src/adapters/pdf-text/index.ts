/** Texts of PDF documents, by pdf.js in threads. */

export { documentTexts, type TextReaderOptions } from './document-texts.ts';
