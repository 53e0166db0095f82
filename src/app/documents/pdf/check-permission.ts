import { InnsigliError } from '../../../base/errors.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asString,
  certificationOf,
  decodeText,
  listSignatureFields,
  type PdfDict,
  type PdfFile,
  type SignatureField,
} from '../../../formats/pdf/index.ts';
import { chooseField, type FieldChoice } from '../../../seal/field/index.ts';

/**
 * Rejects a seal that an earlier signature forbids: by a certification that permits no changes,
 * wherever it is stated, or by a lock on the field to be signed.
 *
 * @throws pdf.certified.locked, pdf.certify.late
 * @spec ISO 32000-1 §12.8.2.2 (DocMDP), §12.8.2.4 (FieldMDP), §12.7.4.5 (field locks)
 */
export function requirePermission(
  file: PdfFile,
  fields: readonly SignatureField[],
  fieldName: string,
  certify: 1 | 2 | 3 | undefined,
): void {
  const lock = findLock(file, fields, fieldName);
  if (lock !== undefined) throw locked(lock);
  const signed = fields.filter(({ value }) => value !== undefined);
  if (certify !== undefined && signed.length > 0) {
    throw new InnsigliError('pdf.certify.late', 'the document is already signed', {
      hint: 'only the first signature can certify: omit --certify',
    });
  }
}

/** Why an earlier signature forbids signing in a field; undefined if it is permitted. */
function findLock(
  file: PdfFile,
  fields: readonly SignatureField[],
  fieldName: string,
): string | undefined {
  if (certificationOf(file) === 1) return 'the certification allows no changes (P=1)';
  for (const { name, value, lock } of fields) {
    if (value === undefined) continue;
    for (const { method, parameters } of transformsOf(file, value)) {
      const permission = asInteger(file.resolve(parameters.get('P')));
      if (method === 'DocMDP' && permission === 1) {
        return `the signature "${name}" allows no changes (P=1)`;
      }
      if (method === 'FieldMDP' && locksField(file, parameters, fieldName)) {
        return `the signature "${name}" locks the field "${fieldName}"`;
      }
    }
    if (lock !== undefined && asInteger(file.resolve(lock.get('P'))) === 1) {
      return `the signature "${name}" locks the document`;
    }
  }
  return undefined;
}

/**
 * Rejects what an encrypted document forbids users without the owner password.
 *
 * @param existingField an empty field is filled; otherwise a new one is created
 * @param ignore permit a new field nevertheless, provided the document may be signed at all
 * @throws pdf.permission.denied
 * @spec ISO 32000-2 table 22: bits 6 and 9 fill fields, bits 4 and 6 create them
 */
export function requireUserRights(file: PdfFile, existingField: boolean, ignore: boolean): void {
  const { security } = file;
  if (security === undefined || security.access === 'owner') return;
  const { annotate, fillForms, modify } = security.permissions;
  if (!fillForms) {
    throw new InnsigliError(
      'pdf.permission.denied',
      'the encrypted document does not permit signing',
      {
        hint: "open it with the owner's password: --pdf-password-file FILE",
      },
    );
  }
  if (existingField || ignore || (annotate && modify)) return;
  throw new InnsigliError(
    'pdf.permission.denied',
    'the encrypted document permits filling fields, but not adding one',
    { hint: "use --field with an empty one, the owner's password, or --ignore-permissions" },
  );
}

function transformsOf(file: PdfFile, value: PdfDict | undefined) {
  const found: { readonly method: string; readonly parameters: PdfDict }[] = [];
  for (const item of asArray(file.resolve(value?.get('Reference'))) ?? []) {
    const reference = asDict(file.resolve(item));
    const method = asName(file.resolve(reference?.get('TransformMethod')))?.value;
    const parameters = asDict(file.resolve(reference?.get('TransformParams')));
    if (method !== undefined && parameters !== undefined) found.push({ method, parameters });
  }
  return found;
}

/** Evaluates `All`, `Include` and `Exclude`. A listed name includes its descendants. */
function locksField(file: PdfFile, parameters: PdfDict, fieldName: string): boolean {
  const action = asName(file.resolve(parameters.get('Action')))?.value;
  const listed = (asArray(file.resolve(parameters.get('Fields'))) ?? []).some((item) => {
    const text = asString(file.resolve(item));
    const name = text === undefined ? undefined : decodeText(text);
    return name !== undefined && (fieldName === name || fieldName.startsWith(`${name}.`));
  });
  return action === 'All' || (action === 'Include' && listed) || (action === 'Exclude' && !listed);
}

function locked(message: string): InnsigliError {
  return new InnsigliError('pdf.certified.locked', message, {
    hint: 'add validation data and a time-stamp with innsigli archive, which is always allowed',
  });
}

/**
 * The new field of a document time-stamp. It has no appearance if a signature permits no changes or
 * locks the field: validation data and time-stamps are not changes in that sense, but other
 * verifiers count an appearance as one. Otherwise it has an empty appearance, for PDF/A-1.
 *
 * @spec ISO 32000-2 table 257, §12.8.5; ISO 19005-1 §6.9
 */
export function chooseTimestampField(file: PdfFile): FieldChoice {
  const fields = listSignatureFields(file);
  const choice = chooseField(file, fields, undefined, 'Timestamp');
  const isBare = findLock(file, fields, choice.name) !== undefined;
  return isBare ? { ...choice, isBare } : choice;
}
