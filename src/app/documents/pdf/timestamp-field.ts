import { listSignatureFields, type PdfFile } from '../../../formats/pdf/index.ts';
import { chooseField, type FieldChoice } from '../../../seal/field/index.ts';
import { findLock } from './check-permission.ts';

/**
 * The new field of a document time-stamp. It has no appearance where a signature permits no
 * changes or locks the field: validation data and time-stamps are no changes there, and other
 * verifiers count the appearance as one. Elsewhere it has an empty one, for PDF/A-1.
 *
 * @spec ISO 32000-2 table 257, §12.8.5; ISO 19005-1 §6.9
 */
export function chooseTimestampField(file: PdfFile): FieldChoice {
  const fields = listSignatureFields(file);
  const choice = chooseField(file, fields, undefined, 'Timestamp');
  const isBare = findLock(file, fields, choice.name) !== undefined;
  return isBare ? { ...choice, isBare } : choice;
}
