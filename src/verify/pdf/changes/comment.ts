import { asDict, asName, type PdfFile, type PdfObject } from '../../../formats/pdf/index.ts';

/** Annotation types that people use for comments. @spec ISO 32000-2 §12.5.6.2 */
const comments = new Set(
  (
    'Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut ' +
    'Caret Stamp Ink Popup'
  ).split(' '),
);
/** Entries that make an annotation more than a comment, or part of a field. */
const actionKeys = ['A', 'AA', 'PA', 'FT', 'Kids', 'V', 'Dest', 'FS', 'EF'];

/** Whether the annotation is a comment without actions. */
export function isComment(file: PdfFile, value: PdfObject): boolean {
  const dict = asDict(value);
  const subtype = asName(file.resolve(dict?.get('Subtype')))?.value ?? '';
  return comments.has(subtype) && !actionKeys.some((key) => dict?.has(key));
}
