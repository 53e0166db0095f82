import { types } from 'node:util';
import { defined } from './defined.ts';
import { InnsigliError } from './errors.ts';
import { NOT_AWAITED } from './given.ts';
import { meantHint } from './text/index.ts';
import { isTimeZone } from './time/time-zone.ts';

/**
 * Reads a value that a program or a request hands in: checks it, and gives it in the form that the
 * code goes on with. `path` names it in errors, as `signees[0].email`; it is empty for the whole
 * input.
 *
 * @throws validation.error whose detail `field` is the path
 */
export type Read<Value> = (value: unknown, path: string) => Value;

/** The reader of each member of an object. */
export type Members<T> = { readonly [Name in keyof T]-?: Read<T[Name]> };

/** Result type of {@link object}: members that may be undefined become optional. */
export type ObjectOf<M> = Flat<
  { readonly [Name in RequiredName<M>]: ValueOf<M[Name]> } & {
    readonly [Name in Exclude<keyof M, RequiredName<M>>]?: Exclude<ValueOf<M[Name]>, undefined>;
  }
>;
type ValueOf<R> = R extends Read<infer Value> ? Value : never;
type RequiredName<M> = {
  [Name in keyof M]: undefined extends ValueOf<M[Name]> ? never : Name;
}[keyof M];
type Flat<T> = { readonly [Name in keyof T]: T[Name] };

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses a value of a request. @throws validation.error always */
export function invalid(field: string, why: string, hint?: string): never {
  throw new InnsigliError('validation.error', `${field}: ${why}`, {
    details: { field },
    ...defined({ hint }),
  });
}

/** Refuses a value of an input. @throws validation.error always */
export function refuse(path: string, expected: string, found: unknown): never {
  return invalid(path === '' ? 'input' : path, `expected ${expected}, found ${shown(found)}`);
}

/** Refuses what is none of `words`; the hint names a similar one. @throws validation.error */
export function refuseWord(path: string, words: readonly string[], found: unknown): never {
  const hint = typeof found === 'string' ? meantHint(found, words) : undefined;
  return invalid(
    path === '' ? 'input' : path,
    `expected one of ${words.join(', ')}, found ${shown(found)}`,
    hint,
  );
}

/** An object with these members; others, and members that are read as undefined, are left out. */
export function object<M extends object>(members: M): Read<ObjectOf<M>> {
  const readers = Object.entries(members) as readonly (readonly [string, Read<unknown>])[];
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, 'an object', value);
    const prefix = path === '' ? '' : `${path}.`;
    const read = readers.map(([name, one]) => [name, one(value[name], `${prefix}${name}`)]);
    return Object.fromEntries(read.filter(([, each]) => each !== undefined)) as ObjectOf<M>;
  };
}

/** As `read`, of an object without members where nothing is handed in. */
export function orNothing<Value>(read: Read<Value>): Read<Value> {
  return (value, path) => read(value ?? {}, path);
}

/** A list of such values. */
export function list<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'a list', value);
    return value.map((each: unknown, at) => read(each, `${path}[${at}]`));
  };
}

/** As `read`; undefined for a member that is absent, null or empty. */
export function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, path) =>
    value === undefined || value === null || value === '' ? undefined : read(value, path);
}

/** Any text. */
export const string: Read<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'text', value);

/** Any number. */
export const number: Read<number> = (value, path) =>
  typeof value === 'number' ? value : refuse(path, 'a number', value);

/** True or false. */
export const boolean: Read<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'true or false', value);

/** Bytes. */
export const bytes: Read<Uint8Array> = (value, path) =>
  value instanceof Uint8Array ? value : refuse(path, 'bytes (Uint8Array)', value);

/** An object whose values are texts. */
export const strings: Read<Readonly<Record<string, string>>> = (value, path) =>
  isRecord(value)
    ? (value as Readonly<Record<string, string>>)
    : refuse(path, 'an object of texts', value);

/** A text with something in it, at most `charactersMax` long, on one line; trimmed. */
export function singleLine(charactersMax: number): Read<string> {
  return (value, path) => {
    const trimmed = typeof value === 'string' ? value.trim() : '';
    const isLine = trimmed !== '' && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(trimmed);
    if (!isLine || trimmed.length > charactersMax) {
      return refuse(path, `a line of 1 to ${charactersMax} characters`, value);
    }
    return trimmed;
  };
}

/** A whole number in the range. */
export function integer(min: number, max: number): Read<number> {
  return (value, path) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : refuse(path, `a whole number from ${min} to ${max}`, value);
}

/** One of `words`, in any letter case. */
export function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (value, path) => {
    const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
    const found = words.find((each) => each.toLowerCase() === lower);
    return found ?? refuseWord(path, words, value);
  };
}

/** A time zone by its IANA name. */
export const timeZone: Read<string> = (value, path) =>
  typeof value === 'string' && isTimeZone(value)
    ? value
    : refuse(path, 'a time zone such as Europe/Prague', value);

/** Characters of one text at most, unless its reader says otherwise. */
const TEXT_MAX = 400;

/** `value` trimmed; undefined when there is none. @throws validation.error when it is too long */
export function text(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  if (isBlank(value)) return undefined;
  if (typeof value !== 'string') invalid(name, `expected text, found ${typeof value}`);
  const trimmed = value.trim();
  if (trimmed.length > max) invalid(name, `expected at most ${max} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(trimmed)) {
    invalid(name, 'expected text, found control characters');
  }
  return trimmed;
}

/** As {@link text} on one line: for headers, subjects and names of files. */
export function line(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  const known = text(value, name, max);
  if (known !== undefined && /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(known)) {
    invalid(name, 'expected one line of text, found a line break, tab or unpaired surrogate');
  }
  return known;
}

/** Author of a change: the address of a user, or `System`. */
export const actor: Read<string> = (by, path) => {
  if (typeof by !== 'string') return invalid(path, `expected text, found ${typeof by}`);
  return line(by, path) ?? invalid(path, 'expected the author of the request, found nothing');
};

/** A key from any input: a value that is no text matches nothing. */
export const anyKey: Read<string> = (key) => (typeof key === 'string' ? key : typeof key);

/** As {@link text}, at most `max` characters long. */
export function longText(max: number): Read<string | undefined> {
  return (value, path) => text(value as string | undefined, path, max);
}

/** True for no text, or nothing but space. */
export function isBlank(value: string | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}

/** A value as errors say it: short, and no more than its kind if it has members. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value !== 'object') return String(value);
  if (types.isPromise(value)) return NOT_AWAITED;
  if (types.isDate(value)) return 'a Date';
  if (types.isUint8Array(value)) return 'bytes';
  return Array.isArray(value) ? 'a list' : 'an object';
}
