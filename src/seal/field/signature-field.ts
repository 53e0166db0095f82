import { InnsigliError } from '../../base/errors.ts';
import {
  asArray,
  asDict,
  asInteger,
  asReference,
  hasField,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  type PdfUpdate,
  type SignatureField,
} from '../../formats/pdf/index.ts';
import { addWidget, filledField, type SealAppearance } from './field-widgets.ts';
import { settleFirstPage } from './page-objects.ts';

/** The signature field to use: an empty field of the document or a new one. */
export interface FieldChoice {
  readonly name: string;
  /** The empty field to fill. Undefined if a new field is created. */
  readonly existing?: SignatureField & { readonly reference: PdfReference };
  /** Undefined: the seal is invisible. */
  readonly look?: SealAppearance;
  /** Whether a new invisible field lacks even an empty appearance stream. Default: false. */
  readonly isBare?: boolean;
}

/** SignaturesExist and AppendOnly. @spec ISO 32000-1 table 219 */
const SIGNATURE_FLAGS = 3;

/**
 * Selects the field for a signature: the named one, or a new one with an unused name.
 *
 * @throws pdf.field.signed if the named field already has a signature
 * @throws pdf.field.invalid if the named field cannot be updated
 */
export function chooseField(
  file: PdfFile,
  fields: readonly SignatureField[],
  wanted: string | undefined,
  prefix = 'Signature',
): FieldChoice {
  if (wanted === undefined) {
    let number = fields.length + 1;
    while (hasField(file, `${prefix}${number}`)) number++;
    return { name: `${prefix}${number}` };
  }
  const existing = fields.find((field) => field.name === wanted);
  if (existing === undefined) {
    if (!hasField(file, wanted)) return { name: requirePartialName(wanted) };
    throw new InnsigliError('pdf.field.invalid', `the field "${wanted}" is not a signature field`, {
      hint: 'choose a different name, or omit --field',
    });
  }
  if (existing.value !== undefined) {
    throw new InnsigliError('pdf.field.signed', `the field "${wanted}" is already signed`, {
      hint: 'choose a different field with --field, or omit it for a new one',
    });
  }
  const { reference } = existing;
  if (reference === undefined) {
    throw new InnsigliError(
      'pdf.field.invalid',
      `the field "${wanted}" is not an indirect object`,
      {
        hint: 'omit --field to create a new field',
      },
    );
  }
  return { name: wanted, existing: { ...existing, reference } };
}

/** A new field is at the root of the field tree, so its name must not contain a period. */
function requirePartialName(name: string): string {
  if (name.length > 0 && name.length <= 127 && !name.includes('.')) return name;
  throw new InnsigliError('pdf.field.invalid', `"${name}" is not a valid name for a new field`, {
    hint: 'use 1 to 127 characters without a period',
  });
}

/**
 * Adds the field changes to an update: the field with `/V`, its widget (an invisible one is on the
 * first page), the form with its signature flags, and `catalogEntries`.
 *
 * @spec ISO 32000-1 §12.7.2, §12.7.4.5, §12.5.6.19
 */
export function placeField(
  file: PdfFile,
  update: PdfUpdate,
  choice: FieldChoice,
  value: PdfReference,
  catalogEntries: ReadonlyMap<string, PdfObject> = new Map(),
): void {
  const catalog = new Map(file.catalog);
  for (const [key, entry] of catalogEntries) catalog.set(key, entry);
  let newField: PdfReference | undefined;
  const { existing, look } = choice;
  if (existing !== undefined) {
    settleFirstPage(file, update);
    update.set(existing.reference, filledField(update, existing.dict, value, look));
  } else newField = addWidget(file, update, choice, value);
  const catalogChanged = updateForm(file, update, catalog, newField);
  if (catalogChanged || catalogEntries.size > 0) update.set(file.catalogReference, catalog);
}

/** Updates the form where it is stored. Returns true if that is the catalog itself. */
function updateForm(
  file: PdfFile,
  update: PdfUpdate,
  catalog: Map<string, PdfObject>,
  newField: PdfReference | undefined,
): boolean {
  const entry = file.catalog.get('AcroForm');
  const old: PdfDict = asDict(file.resolve(entry)) ?? new Map<string, PdfObject>();
  const form = new Map<string, PdfObject>(old);
  const flags = asInteger(file.resolve(old.get('SigFlags'))) ?? 0;
  let changed = (flags & SIGNATURE_FLAGS) !== SIGNATURE_FLAGS;
  form.set('SigFlags', flags | SIGNATURE_FLAGS);
  if (newField !== undefined) {
    const fields = old.get('Fields');
    const list = [...(asArray(file.resolve(fields)) ?? []), newField];
    const holder = asReference(fields);
    if (holder !== undefined && asArray(file.read(holder)) !== undefined) update.set(holder, list);
    else {
      form.set('Fields', list);
      changed = true;
    }
  }
  if (!changed) return false;
  const holder = asReference(entry);
  if (holder !== undefined && asDict(file.read(holder)) !== undefined) {
    update.set(holder, form);
    return false;
  }
  catalog.set('AcroForm', entry === undefined ? indirect(update, form) : form);
  return true;
}

/** A new form is an indirect object, so that later signatures do not change the catalog. */
function indirect(update: PdfUpdate, form: PdfDict): PdfReference {
  const reference = update.allocate();
  update.set(reference, form);
  return reference;
}
