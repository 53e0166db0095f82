import type { PDFDocument, PDFField, PDFForm, PDFTextField } from 'pdf-lib';
import { memorySource } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { type FlowValue, type FlowValues, shownValue } from '../../../domain/flow/index.ts';
import {
  listSignatureFields,
  openPdf,
  requireModestContainers,
} from '../../../formats/pdf/index.ts';
import {
  embedFont,
  loadPdfKit,
  type PdfKit,
  type StampFonts,
} from '../../../seal/appearance/index.ts';
import {
  cleanText,
  drawField,
  type FieldText,
  layoutField,
  missingCharacters,
} from './field-appearance.ts';

/** Kinds of fields that values can fill. */
export type FormFieldKind = 'text' | 'checkbox' | 'radio' | 'choice';

/** A field of a form, for those who prepare values. */
export interface FormField {
  readonly name: string;
  readonly kind: FormFieldKind;
  readonly isRequired: boolean;
  /** Ids of a radio group, texts of a choice. */
  readonly options?: readonly string[];
  /** Characters of a text at most. */
  readonly lengthMax?: number;
}

/** Bytes of a form that is stored with a flow. */
const formBytesMax = 20 * 1024 * 1024;

const fieldsMax = 2_000;
const checkedWord = 'checked';

/**
 * The fields of a form that a flow can fill.
 *
 * @throws pdf.* when it is no PDF that we read, template.invalid when it has no field or is signed
 */
export async function listFormFields(pdf: Uint8Array): Promise<readonly FormField[]> {
  const kit = await loadPdfKit();
  const { form } = await openForm(kit, pdf);
  return form.getFields().flatMap((field) => {
    const kind = kindOf(kit, field);
    return kind === undefined ? [] : [describe(kit, field, kind)];
  });
}

/**
 * `pdf` with its form filled: texts as they are, check boxes checked by exactly `checked`, radio
 * groups by the id of an option, choices by an option. Texts are drawn with an embedded font, so
 * that every viewer shows the same; fields become read-only.
 *
 * @throws flow.values.invalid naming every field that is unknown, wrong or lacks a value
 * @throws template.invalid, pdf.*
 */
export async function fillForm(
  pdf: Uint8Array,
  values: FlowValues,
  fonts: StampFonts,
): Promise<Uint8Array> {
  try {
    return await fillFields(pdf, values, fonts);
  } catch (cause) {
    // The library throws plain errors for fields that are not well-formed.
    if (isInnsigliError(cause)) throw cause;
    return refuseTemplate('a field of the form is not well-formed', cause);
  }
}

async function fillFields(
  pdf: Uint8Array,
  values: FlowValues,
  fonts: StampFonts,
): Promise<Uint8Array> {
  const kit = await loadPdfKit();
  const { document, form } = await openForm(kit, pdf);
  const faults: string[] = [];
  const fields = new Map(form.getFields().map((field) => [field.getName(), field]));
  for (const name of Object.keys(values)) {
    const field = fields.get(name);
    if (field === undefined || kindOf(kit, field) === undefined) faults.push(`${name} is unknown`);
  }
  const texts: { readonly field: PDFField; readonly shown: FieldText }[] = [];
  for (const [name, field] of fields) {
    const kind = kindOf(kit, field);
    if (kind === undefined) continue;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const set = value === undefined ? leaveField(kit, field) : setField(kit, field, value, fonts);
    if (typeof set === 'string') faults.push(`${name} ${set}`);
    else if (set !== undefined) texts.push({ field, shown: set });
    field.enableReadOnly();
  }
  faults.push(...(await drawTexts(kit, document, texts, fonts)));
  if (faults.length > 0) throw misfit(faults);
  return finish(kit, document, form);
}

/** What a template must be; the form of it. */
async function openForm(
  kit: PdfKit,
  pdf: Uint8Array,
): Promise<{ readonly document: PDFDocument; readonly form: PDFForm }> {
  if (pdf.length > formBytesMax) {
    throw new InnsigliError('limit.exceeded', `form: expected at most ${formBytesMax} bytes`);
  }
  // Our own reader first: it is bounded and says what is wrong.
  const source = memorySource(pdf);
  const file = openPdf(source);
  requireModestContainers(source);
  if (listSignatureFields(file).some(({ value }) => value !== undefined)) {
    refuseTemplate('expected a form without signatures: filling it would break them');
  }
  try {
    const document = await kit.PDFDocument.load(pdf, {
      updateMetadata: false,
      throwOnInvalidObject: true,
    });
    const form = document.getForm();
    const count = form.getFields().filter((field) => kindOf(kit, field) !== undefined).length;
    if (count === 0) refuseTemplate('expected a PDF with fields to fill, found none');
    if (count > fieldsMax) refuseTemplate(`expected at most ${fieldsMax} fields, found ${count}`);
    return { document, form };
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    return refuseTemplate('the form cannot be read; encrypted forms cannot be filled', cause);
  }
}

function kindOf(kit: PdfKit, field: PDFField): FormFieldKind | undefined {
  if (field instanceof kit.PDFTextField) return 'text';
  if (field instanceof kit.PDFCheckBox) return 'checkbox';
  if (field instanceof kit.PDFRadioGroup) return 'radio';
  if (field instanceof kit.PDFDropdown || field instanceof kit.PDFOptionList) return 'choice';
  return undefined;
}

function describe(kit: PdfKit, field: PDFField, kind: FormFieldKind): FormField {
  const lengthMax = field instanceof kit.PDFTextField ? field.getMaxLength() : undefined;
  const options = 'getOptions' in field ? (field.getOptions as () => string[])() : undefined;
  return {
    name: field.getName(),
    kind,
    isRequired: field.isRequired(),
    ...defined({ options, lengthMax }),
  };
}

type FieldSet = FieldText | string | undefined;

// A value that the form came with stays, in the font that it came with.
function leaveField(kit: PdfKit, field: PDFField): FieldSet {
  const needs = field instanceof kit.PDFTextField || field instanceof kit.PDFRadioGroup;
  if (!needs || !field.isRequired()) return undefined;
  const present = field instanceof kit.PDFTextField ? field.getText() : field.getSelected();
  return present === undefined || present === '' ? 'needs a value' : undefined;
}

function setField(kit: PdfKit, field: PDFField, value: FlowValue, fonts: StampFonts): FieldSet {
  if (typeof value === 'object' && value !== null) return 'expected a text, found a list or object';
  const text = cleanText(shownValue(value));
  if (field instanceof kit.PDFCheckBox) {
    if (value === checkedWord) field.check();
    else field.uncheck();
    return undefined;
  }
  if (text === '' && field.isRequired()) return 'needs a value';
  const missing = missingCharacters(text, fonts.regular);
  if (missing.length > 0) return `has ${missing.length} characters that the font cannot show`;
  if (field instanceof kit.PDFRadioGroup) {
    if (text === '') field.clear();
    else if (!field.getOptions().includes(text)) return wrongOption(field.getOptions());
    else field.select(text);
    return undefined;
  }
  if (field instanceof kit.PDFTextField) return setText(kit, field, text);
  if (!(field instanceof kit.PDFDropdown || field instanceof kit.PDFOptionList)) return undefined;
  const options = field.getOptions();
  const isFree = field instanceof kit.PDFDropdown && field.isEditable();
  if (text !== '' && !isFree && !options.includes(text)) return wrongOption(options);
  if (text === '') field.clear();
  else field.select(text);
  return { text, isMultiline: false, alignment: 0, style: styleOf(field) };
}

function setText(kit: PdfKit, field: PDFTextField, text: string): FieldSet {
  const lengthMax = field.getMaxLength();
  if (lengthMax !== undefined && [...text].length > lengthMax) {
    return `takes at most ${lengthMax} characters`;
  }
  if (!field.isMultiline() && text.includes('\n')) return 'takes one line';
  if (field.isRichFormatted()) field.disableRichFormatting();
  if (text === '') field.setText(undefined);
  else field.acroField.setValue(kit.PDFHexString.fromText(text));
  const cells = field.isCombed() ? lengthMax : undefined;
  return {
    text,
    isMultiline: field.isMultiline(),
    ...defined({ cells }),
    alignment: field.getAlignment(),
    style: styleOf(field),
  };
}

function styleOf({ acroField }: PDFField): string {
  return acroField.getDefaultAppearance() ?? '';
}

function wrongOption(options: readonly string[]): string {
  const shown = options.slice(0, 10).join(', ').slice(0, 200);
  return `takes one of ${shown}`;
}

/** Draws every text in every place of its field, with one subset of the font; gives the faults. */
async function drawTexts(
  kit: PdfKit,
  document: PDFDocument,
  texts: readonly { readonly field: PDFField; readonly shown: FieldText }[],
  { regular }: StampFonts,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const embedded = embedFont(
    kit,
    document.context,
    regular,
    [' ', ...texts.map(({ shown }) => shown.text.replaceAll('\n', ' '))].join(''),
  );
  for (const { field, shown } of texts) {
    for (const widget of field.acroField.getWidgets()) {
      const style = widget.getDefaultAppearance() ?? shown.style;
      const layout = layoutField({ ...shown, style }, widget, regular);
      if (layout === undefined) {
        faults.push(`${field.getName()} is too long for its field`);
        break;
      }
      drawField(kit, document.context, widget, layout, style, embedded);
    }
  }
  return faults;
}

async function finish(kit: PdfKit, document: PDFDocument, form: PDFForm): Promise<Uint8Array> {
  for (const field of form.getFields()) {
    // Boxes and buttons that came without a drawing get a plain one; it needs no font.
    const needs = field instanceof kit.PDFCheckBox || field instanceof kit.PDFRadioGroup;
    if (needs && field.needsAppearancesUpdate()) field.defaultUpdateAppearances();
  }
  form.deleteXFA();
  form.acroForm.dict.delete(kit.PDFName.of('NeedAppearances'));
  return document.save({ useObjectStreams: false, updateFieldAppearances: false });
}

function misfit(faults: readonly string[]): InnsigliError {
  const shown = faults.slice(0, 50).map((fault) => fault.slice(0, 200));
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  return new InnsigliError('flow.values.invalid', `fields: ${shown.join('; ')}${more}`, {
    hint: 'innsigli flow show lists the fields of the form',
  });
}

function refuseTemplate(why: string, cause?: unknown): never {
  throw new InnsigliError('template.invalid', why, cause === undefined ? {} : { cause });
}
