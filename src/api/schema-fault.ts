import { shown } from '../base/input.ts';

/** A schema violation in a request, as Ajv reports it. */
export interface SchemaFault {
  readonly keyword: string;
  /** JSON pointer to the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Text for a required member that is missing. */
export const missingText = 'expected a value, found none';

/** States what was expected of a value and what was found, without the member's name. */
export function schemaFaultText(
  { keyword, params, message = 'is invalid' }: SchemaFault,
  found: unknown,
): string {
  const say = sentences[keyword];
  return say === undefined ? message : say(params, found);
}

/** The value at a JSON pointer, if any. @spec RFC 6901 §4 */
export function valueAt(root: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  let value = root;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    const own = name.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.hasOwn(value, own) ? (value as Record<string, unknown>)[own] : undefined;
  }
  return value;
}

type Sentence = (params: SchemaFault['params'], found: unknown) => string;

const sentences: Readonly<Record<string, Sentence>> = {
  required: () => missingText,
  type: ({ type }, found) => `expected ${kindsOf(type)}, found ${kindOf(found)}`,
  // Reported for a present value only: otherwise the member is missing.
  enum: ({ allowedValues }, found) =>
    `expected one of ${wordsOf(allowedValues)}, found ${shown(found)}`,
  const: ({ allowedValue }, found) => `expected ${shown(allowedValue)}, found ${shown(found)}`,
  minLength: ({ limit }, found) =>
    `expected at least ${counted(limit, 'character')}, found ${lengthOf(found)}`,
  maxLength: ({ limit }, found) =>
    `expected at most ${counted(limit, 'character')}, found ${lengthOf(found)}`,
  minItems: ({ limit }, found) => `expected at least ${limit}, found ${lengthOf(found)}`,
  maxItems: ({ limit }, found) => `expected at most ${limit}, found ${lengthOf(found)}`,
  minimum: ({ limit }, found) => `expected at least ${limit}, found ${shown(found)}`,
  maximum: ({ limit }, found) => `expected at most ${limit}, found ${shown(found)}`,
  // The value may be a person's number or address, so it is not repeated.
  format: ({ format }) => `expected ${formats[String(format)] ?? String(format)}`,
  pattern: ({ pattern }) => `expected text of the form ${String(pattern)}`,
  additionalProperties: ({ additionalProperty }) =>
    `expected no member ${shown(additionalProperty)}`,
  uniqueItems: () => 'expected each value once',
};

const formats: Readonly<Record<string, string>> = {
  date: 'a date, YYYY-MM-DD',
  'date-time': 'a time, YYYY-MM-DDThh:mm:ssZ',
  email: 'an e-mail address',
  uri: 'an address with its scheme',
  uuid: 'a UUID',
};

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function kindsOf(type: unknown): string {
  const names = Array.isArray(type) ? type : String(type).split(',');
  return names.map((name) => kinds[String(name)] ?? String(name)).join(' or ');
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : (kinds[typeof value] ?? 'another value');
}

function wordsOf(words: unknown): string {
  const all = Array.isArray(words) ? words : [];
  return all.filter((word) => word !== 'NotSet').join(', ');
}

function counted(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

function lengthOf(value: unknown): string {
  if (typeof value === 'string') return String([...value.slice(0, COUNTED_MAX)].length);
  return Array.isArray(value) ? String(value.length) : kindOf(value);
}

/** Maximum number of code units counted: a longer text is reported with this length. */
const COUNTED_MAX = 1_000_000;
