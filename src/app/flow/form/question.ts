import { defined } from '../../../base/defined.ts';
import { type FlowValue, type SchemaPlace, valueLimits } from '../../../domain/flow/index.ts';

/** Type of the answer to a question of a form. */
export type QuestionKind =
  | 'text'
  | 'lines'
  | 'number'
  | 'integer'
  | 'date'
  | 'email'
  | 'checkbox'
  | 'boolean'
  | 'choice';

/** Condition for asking a question: all tests hold or, if negated, not all hold. */
export interface AskCondition {
  /** Answers to compare, by the names of their questions. */
  readonly tests: readonly {
    readonly name: string;
    readonly values: readonly FlowValue[];
    /** Also holds without an answer. */
    readonly orNone?: true;
  }[];
  readonly isNegated?: true;
}

/** One value that a person is asked for. */
export interface FormQuestion {
  /** Name of the value: a field of the PDF, or a path of names joined by dots. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  /** `checkbox` is a field of a PDF, `boolean` a boolean value of a schema. */
  readonly kind: QuestionKind;
  readonly isRequired: boolean;
  readonly options?: readonly string[];
  /** The options are numbers. */
  readonly isNumeric?: true;
  /** An empty answer is `null`, which the schema explicitly permits. */
  readonly isNullable?: true;
  /** Maximum number of characters. */
  readonly lengthMax?: number;
  /** The name is a path of members, rather than one name that contains dots. */
  readonly isPath?: boolean;
  /** Preset answer: the value of the field, or the default of the schema. */
  readonly preset?: string;
  /** The question is asked only if all of these hold. Absent: always. */
  readonly askedIf?: readonly AskCondition[];
}

/** A list that a person is asked for; each row has the same questions. */
export interface RowsQuestion {
  readonly name: string;
  readonly label: string;
  readonly kind: 'rows';
  readonly columns: readonly FormQuestion[];
  /** Number of rows shown initially; `rowMost` is the maximum. Empty rows are no values. */
  readonly rowCount: number;
  readonly rowMost: number;
  /** A row is its single value rather than an object. */
  readonly isScalar?: true;
  /** The list is asked for only if all of these hold. Absent: always. */
  readonly askedIf?: readonly AskCondition[];
}

/** The questions of a form, in the order of the document. */
export type FormQuestions = readonly (FormQuestion | RowsQuestion)[];

/** Value of a checked check box, in a PDF and on the page. */
export const checkedWord = 'checked';

/** Texts that may be longer than this get a multi-line input. */
const lineLengthMax = 200;

/** False for names that values must not have, and for paths deeper than values may be. */
export function isAskable(name: string): boolean {
  const path = name.split('.');
  return path.length <= valueLimits.depth && !path.includes('__proto__');
}

/** Builds the question for a value described by `place` of a schema, with the schema's texts. */
export function questionOf(
  name: string,
  label: string,
  place: SchemaPlace | undefined,
  isRequired: boolean,
): FormQuestion {
  const { isNullable = false } = place ?? {};
  const choice = choiceOf(place);
  const lengthMax = place && lengthOf(place);
  const kind = choice === undefined ? kindOf(place, lengthMax) : 'choice';
  // An unchecked box is also an answer, unless it must be checked.
  const isNeeded = kind === 'boolean' ? mustBeTrue(place) : isRequired && !isNullable;
  return {
    ...{ name, kind, ...wordsOf(place, label), isRequired: isNeeded },
    ...choice,
    ...(isNullable && kind !== 'boolean' ? { isNullable } : {}),
    ...defined({ lengthMax, preset: presetOf(place) }),
  };
}

/** The part of a schema at the end of a path of members. */
export function placeOn(
  root: SchemaPlace | undefined,
  path: readonly string[],
): SchemaPlace | undefined {
  return path.reduce((place, part) => place?.member(part), root);
}

/** Title and description of a value; `label` if the schema has no title. */
export function wordsOf(
  place: SchemaPlace | undefined,
  label: string,
): { label: string; help?: string } {
  const { title, description } = place?.node ?? {};
  const help = typeof description === 'string' ? description.slice(0, 1000) : undefined;
  const isTitled = typeof title === 'string' && title.trim() !== '';
  return { label: isTitled ? title.slice(0, 200) : label, ...defined({ help }) };
}

/** True for a single value: neither a list nor an object. */
export function isOneValue(place: SchemaPlace | undefined): boolean {
  const { types = ['string'], node = {} } = place ?? {};
  return types.some((type) => type !== 'object' && type !== 'array') && !('properties' in node);
}

/** True if no answer is possible: the value has no characters or options. */
export function isEmptyOnly({ kind, lengthMax = 1, options }: FormQuestion): boolean {
  return kind === 'choice' ? options?.length === 0 : lengthMax < 1;
}

function kindOf(place: SchemaPlace | undefined, lengthMax: number | undefined): QuestionKind {
  const { types: [type] = [], node, choices } = place ?? {};
  const isOfBooleans = choices?.every((each) => typeof each === 'boolean') === true;
  if (type === 'boolean' || isOfBooleans) return 'boolean';
  if (type === 'number' || type === 'integer') return type;
  const { format } = node ?? {};
  if (format === 'date' || format === 'email') return format;
  return lengthMax !== undefined && lengthMax > lineLengthMax ? 'lines' : 'text';
}

/** Texts or numbers to choose from. An empty text is not an option. */
function choiceOf(
  place: SchemaPlace | undefined,
): Pick<FormQuestion, 'options' | 'isNumeric'> | undefined {
  const { choices = [], types } = place ?? {};
  const fit = choices.filter(
    (each) => types === undefined || types.some((type) => isOfType(each, type)),
  );
  if (fit.length === 0) return undefined;
  if (fit.every((each) => typeof each === 'number')) {
    return { options: fit.map(String), isNumeric: true };
  }
  if (!fit.every((each) => typeof each === 'string')) return undefined;
  return { options: fit.filter((each) => each !== '') };
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeof value;
}

function mustBeTrue(place: SchemaPlace | undefined): boolean {
  const { choices = [] } = place ?? {};
  return choices.length > 0 && choices.every((each) => each === true);
}

function presetOf(place: SchemaPlace | undefined): string | undefined {
  const usual = place?.node['default'];
  if (typeof usual === 'boolean') return usual ? checkedWord : undefined;
  return typeof usual === 'string' || typeof usual === 'number' ? String(usual) : undefined;
}

function lengthOf({ node }: SchemaPlace): number | undefined {
  const { maxLength } = node;
  return typeof maxLength === 'number' ? Math.max(0, Math.floor(maxLength)) : undefined;
}
