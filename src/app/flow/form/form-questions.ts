import { defined } from '../../../base/defined.ts';
import { isRecord } from '../../../base/input.ts';
import { type DocumentTemplate, partsOf, type TemplateBlock } from '../../../domain/flow/index.ts';
import type { FormField } from './form-fields.ts';

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
  /** Characters at most. */
  readonly lengthMax?: number;
  /** The name is a path of members, not one name with dots. */
  readonly isPath?: boolean;
}

/** Rows that a person is asked for, each with the same questions. */
export interface RowsQuestion {
  readonly name: string;
  readonly label: string;
  readonly kind: 'rows';
  readonly columns: readonly FormQuestion[];
  /** Rows that the form has room for; those left empty are no values. */
  readonly rowCount: number;
}

/** What a form asks for, in the order of the document. */
export type FormQuestions = readonly (FormQuestion | RowsQuestion)[];

const rowsUsual = 5;
const rowsMost = 20;
/** Texts that may be longer than this are asked for in several lines. */
const lineLengthMax = 200;

/** The questions of a PDF form; its schema, parsed, may word and narrow them. */
export function fieldQuestions(fields: readonly FormField[], schema?: unknown): FormQuestions {
  const required = requiredIn(schema);
  return fields
    .filter(({ name, isReadOnly }) => isAskable(name) && isReadOnly !== true)
    .map((field) => {
      const { name, kind, options, lengthMax, label = name, isMultiline } = field;
      const own = memberOf(schema, name);
      const worded = wordsOf(own, label);
      const words = enumOf(own);
      const shown = kind === 'text' && words !== undefined ? 'choice' : kindOf(kind, own);
      return {
        ...{ name, ...worded },
        kind: shown === 'text' && isMultiline === true ? 'lines' : shown,
        isRequired: field.isRequired || required.has(name),
        ...defined({ options: words ?? options, lengthMax: lengthMax ?? lengthOf(own) }),
      };
    });
}

// Fields of a form take texts: a number or a boolean of the schema is none of theirs.
function kindOf(kind: FormField['kind'], schema: unknown): QuestionKind {
  if (kind !== 'text' || !isRecord(schema)) return kind === 'radio' ? 'choice' : kind;
  const { format } = schema;
  return format === 'date' || format === 'email' ? format : 'text';
}

/**
 * The questions of a template: one for each handle, rows for each list; then what the schema,
 * parsed, requires besides.
 *
 * @param more further texts with handles, such as that of the file name
 */
export function templateQuestions(
  { title, blocks }: DocumentTemplate,
  more: readonly string[],
  schema?: unknown,
): FormQuestions {
  const all = new Map<string, FormQuestion | RowsQuestion>();
  const add = (asked: Asked) => {
    const known = all.get(asked.name);
    if (known === undefined) all.set(asked.name, questionOf(asked, schema));
    else if (asked.isNeeded && known.kind !== 'rows' && !known.isRequired) {
      all.set(asked.name, { ...known, isRequired: known.kind !== 'boolean' });
    }
  };
  for (const asked of askedIn(title, true)) add(asked);
  for (const block of blocks) {
    if (block.when !== undefined) add({ name: block.when, isNeeded: false });
    if ('each' in block && block.each !== undefined) addRows(all, block, block.each, schema);
    else for (const asked of askedBy(block)) add(asked);
  }
  for (const asked of more.flatMap((text) => askedIn(text, false))) add(asked);
  const isAsked = (name: string) => [...all.keys()].some((each) => each.startsWith(`${name}.`));
  for (const name of requiredIn(schema)) {
    // Parts of an object are asked for one by one; one that no handle names cannot be.
    if (!isAsked(name) && isOneValue(memberOf(schema, name))) add({ name, isNeeded: true });
  }
  return [...all.values()].filter(({ name }) => isAskable(name));
}

/** False for names that no value may have. */
function isAskable(name: string): boolean {
  return !name.split('.').includes('__proto__');
}

/** A handle that a template asks a value for. */
interface Asked {
  readonly name: string;
  /** The document cannot be made without it. */
  readonly isNeeded: boolean;
  readonly label?: string;
}

function askedBy(block: TemplateBlock): readonly Asked[] {
  const isNeeded = block.when === undefined;
  if (block.type === 'pageBreak') return [];
  if (block.type === 'list') return block.items.flatMap((text) => askedIn(text, isNeeded));
  if (block.type === 'table') return [];
  if (block.type !== 'values') return askedIn(block.text, isNeeded);
  return block.rows.flatMap(({ name, text }) => [
    ...askedIn(name, isNeeded),
    ...askedIn(text, isNeeded, name),
  ]);
}

/** The handles of `text`; a label is that of the only one. */
function askedIn(text: string, isNeeded: boolean, label?: string): readonly Asked[] {
  const { names } = partsOf(text);
  const isLabelled = label !== undefined && names.length === 1 && partsOf(label).names.length === 0;
  return names.map((name) => ({
    name,
    // A question mark behind the name of the handle: it may be missing.
    isNeeded: isNeeded && !text.includes(`${name}?}}`) && !text.includes(`${name} ?}}`),
    ...(isLabelled ? { label } : {}),
  }));
}

function addRows(
  all: Map<string, FormQuestion | RowsQuestion>,
  block: TemplateBlock,
  name: string,
  schema: unknown,
): void {
  const list = memberOf(schema, name);
  const items = isRecord(list) ? list['items'] : undefined;
  const asked: readonly Asked[] =
    block.type === 'table'
      ? block.columns.flatMap(({ title, text }) => askedIn(text, true, title))
      : block.type === 'list'
        ? block.items.flatMap((text) => askedIn(text, true))
        : [];
  const known = all.get(name);
  const columns = new Map(
    known?.kind === 'rows' ? known.columns.map((each) => [each.name, each] as const) : [],
  );
  for (const each of asked) {
    if (isAskable(each.name) && !columns.has(each.name))
      columns.set(each.name, questionOf(each, items));
  }
  if (columns.size === 0) return;
  all.set(name, {
    ...{ name, kind: 'rows', columns: [...columns.values()] },
    label: wordsOf(list, readableName(name)).label,
    rowCount: rowCountOf(list),
  });
}

function rowCountOf(schema: unknown): number {
  const most = isRecord(schema) ? schema['maxItems'] : undefined;
  return typeof most === 'number' && most >= 1 ? Math.min(Math.floor(most), rowsMost) : rowsUsual;
}

function questionOf({ name, isNeeded, label }: Asked, schema: unknown): FormQuestion {
  const path = name.split('.');
  const last = path.pop() ?? name;
  const within = path.reduce<unknown>((place, part) => memberOf(place, part), schema);
  const own = memberOf(within, last);
  const words = enumOf(own);
  const lengthMax = lengthOf(own);
  const kind = words === undefined ? kindOfSchema(own, lengthMax) : 'choice';
  return {
    ...{ name, kind, isPath: true },
    ...wordsOf(own, label ?? readableName(last)),
    // A box that is not checked is an answer, too.
    isRequired: kind !== 'boolean' && (isNeeded || requiredIn(within).has(last)),
    ...defined({ options: words, lengthMax }),
  };
}

function isOneValue(schema: unknown): boolean {
  const { type } = isRecord(schema) ? schema : {};
  return type !== 'object' && type !== 'array';
}

function kindOfSchema(schema: unknown, lengthMax: number | undefined): QuestionKind {
  if (!isRecord(schema)) return 'text';
  const { type, format } = schema;
  if (type === 'boolean' || type === 'number' || type === 'integer') return type;
  if (format === 'date' || format === 'email') return format;
  return lengthMax !== undefined && lengthMax > lineLengthMax ? 'lines' : 'text';
}

function memberOf(schema: unknown, name: string): unknown {
  if (!isRecord(schema)) return undefined;
  const { properties } = schema;
  return isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function requiredIn(schema: unknown): ReadonlySet<string> {
  const { required } = isRecord(schema) ? schema : {};
  const names = Array.isArray(required) ? required : [];
  return new Set(names.filter((name): name is string => typeof name === 'string'));
}

function wordsOf(schema: unknown, label: string): { label: string; help?: string } {
  const { title, description } = isRecord(schema) ? schema : {};
  const help = typeof description === 'string' ? description.slice(0, 1000) : undefined;
  const isTitled = typeof title === 'string' && title.trim() !== '';
  return { label: isTitled ? title.slice(0, 200) : label, ...defined({ help }) };
}

function enumOf(schema: unknown): readonly string[] | undefined {
  const words = isRecord(schema) ? schema['enum'] : undefined;
  const isOfTexts = Array.isArray(words) && words.every((word) => typeof word === 'string');
  return isOfTexts && words.length > 0 ? (words as readonly string[]) : undefined;
}

function lengthOf(schema: unknown): number | undefined {
  const most = isRecord(schema) ? schema['maxLength'] : undefined;
  return typeof most === 'number' && most >= 1 ? Math.floor(most) : undefined;
}

/** `dateOfBirth` as people write it: `Date of birth`. */
function readableName(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
