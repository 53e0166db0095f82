import { defined } from '../../../base/defined.ts';
import { type FlowValue, type SchemaPlace, valueLimits } from '../../../domain/flow/index.ts';

/** How a question of a form is answered. */
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

/** When a question is asked: when all tests hold, or, negated, when they do not. */
export interface AskCondition {
  /** Answers that are looked at, by the names of their questions. */
  readonly tests: readonly {
    readonly name: string;
    readonly values: readonly FlowValue[];
    /** It holds without an answer, too. */
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
  /** `checkbox` is a field of a PDF, `boolean` a value that a schema calls so. */
  readonly kind: QuestionKind;
  readonly isRequired: boolean;
  readonly options?: readonly string[];
  /** The options are numbers. */
  readonly isNumeric?: true;
  /** An empty answer is `null`, which the schema asks for by name. */
  readonly isNullable?: true;
  /** Characters at most. */
  readonly lengthMax?: number;
  /** The name is a path of members, not one name with dots. */
  readonly isPath?: boolean;
  /** The answer that the form comes with: what the field holds, or the schema says. */
  readonly preset?: string;
  /** It is asked only where all of these hold; without them always. */
  readonly askedIf?: readonly AskCondition[];
}

/** Rows that a person is asked for, each with the same questions. */
export interface RowsQuestion {
  readonly name: string;
  readonly label: string;
  readonly kind: 'rows';
  readonly columns: readonly FormQuestion[];
  /** Rows that are shown at first, and that there is room for; those left empty are no values. */
  readonly rowCount: number;
  readonly rowMost: number;
  /** A row is its only value, not an object. */
  readonly isScalar?: true;
  /** They are asked for only where all of these hold. */
  readonly askedIf?: readonly AskCondition[];
}

/** What a form asks for, in the order of the document. */
export type FormQuestions = readonly (FormQuestion | RowsQuestion)[];

/** Value of a check box of a PDF, and of a box on the page, when it is checked. */
export const checkedWord = 'checked';

/** Texts that may be longer than this are asked for in several lines. */
const lineLengthMax = 200;

/** False for names that no value may have, and for paths of more levels than values have. */
export function isAskable(name: string): boolean {
  const path = name.split('.');
  return path.length <= valueLimits.depth && !path.includes('__proto__');
}

/** A question for a value of which a schema says `place`; the words are those of the schema. */
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
  // A box that is not checked is an answer, too; unless it must be checked.
  const isNeeded = kind === 'boolean' ? mustBeTrue(place) : isRequired && !isNullable;
  return {
    ...{ name, kind, ...wordsOf(place, label), isRequired: isNeeded },
    ...choice,
    ...(isNullable && kind !== 'boolean' ? { isNullable } : {}),
    ...defined({ lengthMax, preset: presetOf(place) }),
  };
}

/** What a schema says at the end of a path of members. */
export function placeOn(
  root: SchemaPlace | undefined,
  path: readonly string[],
): SchemaPlace | undefined {
  return path.reduce((place, part) => place?.member(part), root);
}

/** Title and description of a value, or a title for one that has none. */
export function wordsOf(
  place: SchemaPlace | undefined,
  label: string,
): { label: string; help?: string } {
  const { title, description } = place?.node ?? {};
  const help = typeof description === 'string' ? description.slice(0, 1000) : undefined;
  const isTitled = typeof title === 'string' && title.trim() !== '';
  return { label: isTitled ? title.slice(0, 200) : label, ...defined({ help }) };
}

/** True for what is asked for as one value: no list, and no object. */
export function isOneValue(place: SchemaPlace | undefined): boolean {
  const { types = ['string'], node = {} } = place ?? {};
  return types.some((type) => type !== 'object' && type !== 'array') && !('properties' in node);
}

/** True for a value that no answer can be: it has no characters. */
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

/** Texts, or numbers, of which one is the answer. An empty text is the answer of nobody. */
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
