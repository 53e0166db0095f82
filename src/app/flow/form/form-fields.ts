import { memorySource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asReference,
  asString,
  decodeText,
  type FieldObject,
  inheritedEntry,
  listFields,
  openPdf,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  requireSmallContainers,
} from '../../../formats/pdf/index.ts';

/** Kinds of fields that values can fill. */
export type FormFieldKind = 'text' | 'checkbox' | 'radio' | 'choice';

/** A field of a form, for callers who prepare values. */
export interface FormField {
  readonly name: string;
  readonly kind: FormFieldKind;
  readonly isRequired: boolean;
  /** Option ids of a radio group, option texts of a choice. */
  readonly options?: readonly string[];
  /** Maximum number of characters of a text. */
  readonly lengthMax?: number;
  /** Label of the field for people. */
  readonly label?: string;
  /** Multi-line text. */
  readonly isMultiline?: boolean;
  /** People cannot change it in the form; the company can. */
  readonly isReadOnly?: boolean;
  /** Not to be filled in by people: hidden, a password, or a file path. */
  readonly isHidden?: boolean;
  /** Preset value in the form: a text, an option, or `checked`. */
  readonly preset?: string;
}

/**
 * Flags of fields.
 *
 * @spec ISO 32000-1 tables 221, 226, 228 and 230
 */
export const fieldFlag = {
  readOnly: 1,
  required: 2,
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  comb: 1 << 24,
  richText: 1 << 25,
} as const;

/**
 * Annotation flags of invisible fields: hidden, or not shown on screen.
 *
 * @spec ISO 32000-1 table 165
 */
const unseenFlags = (1 << 1) | (1 << 5);

/** Widget annotation that shows a field on a page. */
export interface FieldWidget {
  readonly reference: PdfReference;
  readonly dict: PdfDict;
  /** Appearance state of a selected button. */
  readonly onState: string;
}

/** An option of a choice or radio group. */
interface FieldOption {
  readonly text: string;
  /** Field value if this option is selected: an appearance state's name, or the export value. */
  readonly value: string;
}

/** A field with the data needed to fill it. */
export interface FillableField {
  readonly name: string;
  readonly kind: FormFieldKind;
  readonly reference: PdfReference;
  readonly dict: PdfDict;
  readonly flags: number;
  /** Its own or inherited value; null if there is none. */
  readonly value: PdfObject;
  /** Options of a choice or radio group. */
  readonly options: readonly FieldOption[] | undefined;
  readonly lengthMax: number | undefined;
  /** 0 left, 1 centred, 2 right. */
  readonly alignment: number;
  readonly widgets: readonly FieldWidget[];
}

/** An opened form. */
export interface OpenForm {
  readonly file: PdfFile;
  /** The interactive form dictionary. */
  readonly dict: PdfDict;
  readonly fields: readonly FillableField[];
}

/** Maximum size of a form stored with a flow, in bytes. */
const formBytesMax = 20 * 1024 * 1024;
const fieldsMax = 2_000;
/** Maximum length of a label, in characters. */
const labelMax = 200;

/**
 * Opens a form that can be filled.
 *
 * @throws pdf.*, limit.exceeded, template.invalid if it has no field or is signed or encrypted
 * @spec ISO 32000-1 §12.7
 */
export function openForm(pdf: Uint8Array): OpenForm {
  if (pdf.length > formBytesMax) {
    throw new InnsigliError('limit.exceeded', `form: expected at most ${formBytesMax} bytes`);
  }
  const source = memorySource(pdf);
  const file = openPdf(source);
  requireSmallContainers(source);
  const objects = listFields(file, ['Btn', 'Tx', 'Ch', 'Sig']);
  if (objects.some(({ type, entry }) => type === 'Sig' && asDict(file.resolve(entry)))) {
    refuseTemplate('expected a form without signatures: filling it would invalidate them');
  }
  if (file.security !== undefined) refuseTemplate('encrypted forms cannot be filled');
  const dict: PdfDict = asDict(file.resolve(file.catalog.get('AcroForm'))) ?? new Map();
  const fields = objects.flatMap((object) => fillableField(file, dict, object) ?? []);
  if (fields.length === 0) refuseTemplate('expected a PDF with fields to fill, found none');
  if (fields.length > fieldsMax) {
    refuseTemplate(`expected at most ${fieldsMax} fields, found ${fields.length}`);
  }
  return { file, dict, fields };
}

/** @throws template.invalid */
export function refuseTemplate(why: string): never {
  throw new InnsigliError('template.invalid', why);
}

function fillableField(
  file: PdfFile,
  form: PdfDict,
  { name, type, reference, dict }: FieldObject,
): FillableField | undefined {
  const flags = asInteger(inheritedEntry(file, dict, 'Ff')) ?? 0;
  const kind = kindOf(type, flags);
  if (reference === undefined || kind === undefined) return undefined;
  const widgets = widgetsOf(file, reference, dict, kind);
  const alignment = asInteger(inheritedEntry(file, dict, 'Q') ?? file.resolve(form.get('Q')));
  return {
    name,
    kind,
    reference,
    dict,
    flags,
    value: inheritedEntry(file, dict, 'V'),
    options: optionsOf(file, dict, kind, widgets),
    lengthMax: kind === 'text' ? asInteger(inheritedEntry(file, dict, 'MaxLen')) : undefined,
    alignment: alignment === 1 || alignment === 2 ? alignment : 0,
    widgets,
  };
}

function kindOf(type: string, flags: number): FormFieldKind | undefined {
  if (type === 'Tx') return 'text';
  if (type === 'Ch') return 'choice';
  if (type !== 'Btn' || (flags & fieldFlag.pushButton) !== 0) return undefined;
  return (flags & fieldFlag.radio) === 0 ? 'checkbox' : 'radio';
}

/** The field itself, or those of its /Kids that are not fields. */
function widgetsOf(
  file: PdfFile,
  reference: PdfReference,
  dict: PdfDict,
  kind: FormFieldKind,
): readonly FieldWidget[] {
  const kids = asArray(file.resolve(dict.get('Kids'))) ?? [reference];
  return kids.flatMap((kid, index) => {
    const own = asReference(kid);
    const widget = own === reference ? dict : asDict(file.resolve(kid));
    if (own === undefined || widget === undefined) return [];
    const normal = asDict(file.resolve(asDict(file.resolve(widget.get('AP')))?.get('N')));
    const drawn = [...(normal?.keys() ?? [])].find((state) => state !== 'Off');
    const onState = drawn ?? (kind === 'radio' ? String(index) : 'Yes');
    return [{ reference: own, dict: widget, onState }];
  });
}

function optionsOf(
  file: PdfFile,
  dict: PdfDict,
  kind: FormFieldKind,
  widgets: readonly FieldWidget[],
): readonly FieldOption[] | undefined {
  if (kind !== 'radio' && kind !== 'choice') return undefined;
  const listed = file.resolve(inheritedEntry(file, dict, 'Opt'));
  const entries = asArray(listed) ?? (listed === null ? undefined : [listed]);
  if (kind === 'radio') {
    const states = widgets.map(({ onState }) => onState);
    if (entries === undefined) return states.map((state) => ({ text: state, value: state }));
    return states.slice(0, entries.length).map((state, index) => {
      return { text: textOf(file, entries[index]) ?? state, value: state };
    });
  }
  return (entries ?? []).flatMap((entry) => {
    const [value, text = value] = asArray(file.resolve(entry)) ?? [entry];
    const exported = textOf(file, value);
    const shown = textOf(file, text);
    return exported === undefined ? [] : [{ text: shown ?? exported, value: exported }];
  });
}

function textOf(file: PdfFile, value: PdfObject | undefined): string | undefined {
  const string = asString(file.resolve(value));
  return string === undefined ? undefined : decodeText(string);
}

/** True for a field that is not visible, or contains a password or a file path. */
export function isHiddenField(file: PdfFile, { kind, flags, widgets }: FillableField): boolean {
  const secret = fieldFlag.password | fieldFlag.fileSelect;
  if (kind === 'text' && (flags & secret) !== 0) return true;
  return widgets.every(({ dict }) => {
    const own = asInteger(file.resolve(dict.get('F'))) ?? 0;
    return (own & unseenFlags) !== 0;
  });
}

/**
 * The label of the field for people.
 *
 * @spec ISO 32000-1 table 220 (/TU)
 */
export function labelOf(file: PdfFile, { dict }: FillableField): string | undefined {
  const label = textOf(file, dict.get('TU'))?.trim().slice(0, labelMax);
  return label === '' ? undefined : label;
}

/** The current text of the field, or the selected option; undefined if there is none. */
export function presentValue(field: FillableField): string | undefined {
  const name = asName(field.value)?.value;
  if (name !== undefined) return field.options?.find(({ value }) => value === name)?.text;
  const text = asString(field.value);
  return text === undefined ? undefined : decodeText(text);
}
