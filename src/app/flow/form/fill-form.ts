import { concatBytes } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  type FlowValue,
  type FlowValues,
  shownValue,
  valuePointer,
} from '../../../domain/flow/index.ts';
import {
  asName,
  beginUpdate,
  encodeText,
  type PdfObject,
  type PdfReference,
  pdfName,
  replaceForm,
} from '../../../formats/pdf/index.ts';
import { importFont, type StampFonts } from '../../../seal/appearance/index.ts';
import { cleanText, missingCharacters } from '../text-lines.ts';
import { buttonStates, type FieldText, layoutField, textAppearance } from './field-appearance.ts';
import {
  type FieldWidget,
  type FillableField,
  type FormField,
  fieldFlag,
  isHiddenField,
  labelOf,
  type OpenForm,
  openForm,
  presentValue,
} from './form-fields.ts';
import { checkedWord } from './question.ts';

/**
 * Lists the fields of a form that a flow can fill.
 *
 * @throws pdf.* if the PDF cannot be read, template.invalid if it has no field or is signed
 */
export async function listFormFields(pdf: Uint8Array): Promise<readonly FormField[]> {
  const { file, fields } = openForm(pdf);
  return fields.map((field) => {
    const { name, kind, flags, options, lengthMax } = field;
    const isMultiline = kind === 'text' && (flags & fieldFlag.multiline) !== 0;
    return {
      name,
      kind,
      isRequired: (flags & fieldFlag.required) !== 0,
      ...defined({ options: options?.map(({ text }) => text), lengthMax }),
      ...defined({ label: labelOf(file, field), preset: presetOf(field) }),
      ...(isMultiline ? { isMultiline } : {}),
      ...((flags & fieldFlag.readOnly) !== 0 ? { isReadOnly: true } : {}),
      ...(isHiddenField(file, field) ? { isHidden: true } : {}),
    };
  });
}

/** The preset value of the field, as it would appear in values. */
function presetOf(field: FillableField): string | undefined {
  if (field.kind !== 'checkbox') return presentValue(field) || undefined;
  const state = asName(field.value)?.value ?? 'Off';
  return field.widgets.some(({ onState }) => onState === state) ? checkedWord : undefined;
}

interface FieldFault {
  readonly name: string;
  readonly why: string;
}

interface FieldChange {
  /** New entries of the field dictionary; undefined removes an entry. */
  readonly entries: Readonly<Record<string, PdfObject | undefined>>;
  /** Flags to clear. */
  readonly cleared?: number;
  /** Appearance state of the buttons of the field. */
  readonly state?: string;
  readonly text?: FieldText;
}

/**
 * Returns `pdf` with an incremental update that fills its form: texts as they are, check boxes
 * checked only by `checked`, radio groups by the id of an option, choices by an option. Texts are
 * drawn with an embedded font, so that every viewer shows the same; fields become read-only.
 *
 * @throws flow.values.invalid naming every field that is unknown, invalid or lacks a value
 * @throws template.invalid, pdf.*
 */
export async function fillForm(
  pdf: Uint8Array,
  values: FlowValues,
  fonts: StampFonts,
): Promise<Uint8Array> {
  const form = openForm(pdf);
  const { changes, faults } = changesBy(form, values, fonts);
  const bytes = await writeFields(form, changes, faults, fonts);
  if (faults.length > 0) throw misfit(faults);
  return concatBytes([pdf, bytes]);
}

/**
 * Returns, for each set of values, the reason that the form cannot be filled with it; undefined if
 * it can. Nothing is written, so texts that are too long for their fields are not detected.
 *
 * @throws template.invalid, pdf.*
 */
export function findFillFaults(
  pdf: Uint8Array,
  all: readonly FlowValues[],
  fonts: StampFonts,
): readonly (string | undefined)[] {
  const form = openForm(pdf);
  return all.map((values) => {
    const { faults } = changesBy(form, values, fonts);
    return faults.length === 0 ? undefined : misfit(faults).message;
  });
}

function changesBy(form: OpenForm, values: FlowValues, fonts: StampFonts) {
  const names = new Set(form.fields.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !names.has(name));
  const faults: FieldFault[] = unknown.map((name) => ({ name, why: 'is unknown' }));
  const changes = new Map<FillableField, FieldChange>();
  for (const field of form.fields) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const change = value === undefined ? keptField(field) : changedField(field, value, fonts);
    if (typeof change === 'string') faults.push({ name: field.name, why: change });
    else changes.set(field, change);
  }
  return { changes, faults };
}

/** A preset value of the form is retained, in its original font. */
function keptField(field: FillableField): FieldChange | string {
  const needs = field.kind === 'text' || field.kind === 'radio';
  const isEmpty = needs && (presentValue(field) ?? '') === '';
  return isEmpty && (field.flags & fieldFlag.required) !== 0 ? 'needs a value' : { entries: {} };
}

/** The change of the field by the value, or the fault of the value. */
function changedField(
  field: FillableField,
  value: FlowValue,
  fonts: StampFonts,
): FieldChange | string {
  if (typeof value === 'object' && value !== null) return 'expected a text, found a list or object';
  const { kind, flags, options = [], widgets } = field;
  if (kind === 'checkbox') {
    return chosenState(value === checkedWord ? (widgets[0]?.onState ?? 'Yes') : 'Off');
  }
  const text = cleanText(shownValue(value));
  if (text === '' && (flags & fieldFlag.required) !== 0) return 'needs a value';
  const missing = missingCharacters(text, fonts.regular);
  if (missing.length > 0) {
    const noun = missing.length === 1 ? 'character' : 'characters';
    return `has ${missing.length} ${noun} missing in the font`;
  }
  if (kind === 'text') return changedText(field, text);
  const option = options.find((each) => each.text === text);
  const isFree = (flags & fieldFlag.combo) !== 0 && (flags & fieldFlag.edit) !== 0;
  if (text !== '' && option === undefined && !(kind === 'choice' && isFree)) {
    const shown = options.map((each) => each.text).slice(0, 10);
    return `accepts one of ${shown.join(', ').slice(0, 200)}`;
  }
  if (kind === 'radio') return chosenState(option?.value ?? 'Off');
  const held = text === '' ? undefined : encodeText(option?.value ?? text);
  return { entries: { V: held, I: undefined }, text: { text, isMultiline: false, alignment: 0 } };
}

function chosenState(state: string): FieldChange {
  return { entries: { V: pdfName(state) }, state };
}

function changedText(field: FillableField, text: string): FieldChange | string {
  const { flags, lengthMax, alignment } = field;
  if (lengthMax !== undefined && [...text].length > lengthMax) {
    return `accepts at most ${lengthMax} characters`;
  }
  const isMultiline = (flags & fieldFlag.multiline) !== 0;
  if (!isMultiline && text.includes('\n')) return 'accepts one line';
  const uncombed = fieldFlag.multiline | fieldFlag.password | fieldFlag.fileSelect;
  const isCombed = (flags & (fieldFlag.comb | uncombed)) === fieldFlag.comb;
  return {
    entries: { V: text === '' ? undefined : encodeText(text), RV: undefined },
    cleared: fieldFlag.richText,
    text: { text, isMultiline, alignment, ...defined({ cells: isCombed ? lengthMax : undefined }) },
  };
}

/** The incremental update with all changes; texts share one font subset. */
async function writeFields(
  { file, dict: form }: OpenForm,
  changes: ReadonlyMap<FillableField, FieldChange>,
  faults: FieldFault[],
  fonts: StampFonts,
): Promise<Uint8Array> {
  const update = beginUpdate(file);
  const texts = [...changes.values()].flatMap(({ text }) => text?.text.replaceAll('\n', ' ') ?? []);
  const font =
    texts.length === 0
      ? undefined
      : await importFont(fonts.regular, [' ', ...texts].join(''), update);
  const edited = new Map<number, Map<string, PdfObject>>();
  const edit = ({ reference, dict }: Pick<FieldWidget, 'reference' | 'dict'>) => {
    const known = edited.get(reference.objectNumber) ?? new Map<string, PdfObject>(dict);
    edited.set(reference.objectNumber, known);
    update.set(reference, known);
    return known;
  };
  const drawn = (widget: FieldWidget, { text, state }: FieldChange, field: FillableField) => {
    const dict = edit(widget);
    if (text !== undefined && font !== undefined) {
      const layout = layoutField(file, form, widget.dict, text, fonts.regular);
      if (layout === undefined) return false;
      const look = update.allocate();
      update.set(look, textAppearance(layout, font));
      dict.set('AP', new Map([['N', look]]));
      dict.delete('AS');
    } else if (field.kind === 'checkbox' || field.kind === 'radio') {
      if (state !== undefined) dict.set('AS', pdfName(state === widget.onState ? state : 'Off'));
      if (!dict.has('AS')) dict.set('AS', pdfName('Off'));
      const states = buttonStates(file, dict, widget.onState, field.kind);
      if (states !== undefined) {
        const looks = states.map(([name, look]): [string, PdfReference] => {
          const reference = update.allocate();
          update.set(reference, look);
          return [name, reference];
        });
        dict.set('AP', new Map([['N', new Map<string, PdfObject>(looks)]]));
      }
    }
    return true;
  };
  for (const [field, change] of changes) {
    const dict = edit(field);
    for (const [key, value] of Object.entries(change.entries)) {
      if (value === undefined) dict.delete(key);
      else dict.set(key, value);
    }
    dict.set('Ff', (field.flags & ~(change.cleared ?? 0)) | fieldFlag.readOnly);
    if (!field.widgets.every((widget) => drawn(widget, change, field))) {
      faults.push({ name: field.name, why: 'is too long for its field' });
    }
  }
  const next = new Map<string, PdfObject>(form);
  for (const key of ['XFA', 'NeedAppearances']) next.delete(key);
  if (next.size < form.size) replaceForm(file, update, next);
  return update.finish().bytes;
}

function misfit(faults: readonly FieldFault[]): InnsigliError {
  const shown = faults.slice(0, 50).map(({ name, why }) => `${name} ${why}`.slice(0, 200));
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  return new InnsigliError('flow.values.invalid', `fields: ${shown.join('; ')}${more}`, {
    hint: 'list the fields of the form with innsigli flow show',
    details: { pointer: valuePointer([faults[0]?.name ?? '']) },
  });
}
