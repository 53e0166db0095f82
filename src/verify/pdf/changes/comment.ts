import { asDict, asName, type PdfFile, type PdfObject } from '../../../formats/pdf/index.ts';

/** Annotations that people comment with. @spec ISO 32000-2 §12.5.6.2 */
const comments = new Set(
  (
    'Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut ' +
    'Caret Stamp Ink Popup'
  ).split(' '),
);
/** Entries that make an annotation more than a comment, or tie it to a field. */
const actionKeys = ['A', 'AA', 'PA', 'FT', 'Kids', 'V', 'Dest', 'FS', 'EF'];

/** True for an annotation that people comment with, without actions. */
export function isComment(file: PdfFile, value: PdfObject): boolean {
  const dict = asDict(value);
  const subtype = asName(file.resolve(dict?.get('Subtype')))?.value ?? '';
  return comments.has(subtype) && !actionKeys.some((key) => dict?.has(key));
}
