import { types } from 'node:util';
import { defined } from './defined.ts';
import { InnsigliError } from './errors.ts';
import { NOT_AWAITED } from './given.ts';
import { meantHint } from './text/index.ts';
import { isTimeZone } from './time/time-zone.ts';

/**
 * Validates a value from a program or a request, and returns it in the internal form. `path` names
 * it in errors, such as `signees[0].email`, and is empty for the whole input.
 *
 * @throws validation.error whose detail `field` is the path
 */
export type Read<Value> = (value: unknown, path: string) => Value;

/** Readers of the members of an object. */
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

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rejects a value of a request. @throws validation.error always */
export function invalid(field: string, why: string, hint?: string): never {
  throw new InnsigliError('validation.error', `${field}: ${why}`, {
    details: { field },
    ...defined({ hint }),
  });
}

/** Rejects a value of an input. @throws validation.error always */
export function refuse(path: string, expected: string, found: unknown): never {
  return invalid(path === '' ? 'input' : path, `expected ${expected}, found ${shown(found)}`);
}

/** Rejects a value not in `words`. The hint names a similar one. @throws validation.error */
export function refuseWord(path: string, words: readonly string[], found: unknown): never {
  const hint = typeof found === 'string' ? meantHint(found, words) : undefined;
  return invalid(
    path === '' ? 'input' : path,
    `expected one of ${words.join(', ')}, found ${shown(found)}`,
    hint,
  );
}

/** Reads an object with these members. Others, and those read as undefined, are omitted. */
export function object<M extends object>(members: M): Read<ObjectOf<M>> {
  const readers = Object.entries(members) as readonly (readonly [string, Read<unknown>])[];
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, 'an object', value);
    const prefix = path === '' ? '' : `${path}.`;
    const read = readers.map(([name, one]) => [name, one(value[name], `${prefix}${name}`)]);
    return Object.fromEntries(read.filter(([, each]) => each !== undefined)) as ObjectOf<M>;
  };
}

/** Like `read`, with an empty object for a missing value. */
export function orNothing<Value>(read: Read<Value>): Read<Value> {
  return (value, path) => read(value ?? {}, path);
}

/** Reads an array of such values. */
export function list<Value>(read: Read<Value>): Read<readonly Value[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'a list', value);
    return value.map((each: unknown, at) => read(each, `${path}[${at}]`));
  };
}

/** Like `read`, with undefined for a member that is absent, null or empty. */
export function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value, path) =>
    value === undefined || value === null || value === '' ? undefined : read(value, path);
}

/** Reads any text. */
export const string: Read<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'text', value);

/** Reads any number. */
export const number: Read<number> = (value, path) =>
  typeof value === 'number' ? value : refuse(path, 'a number', value);

/** Reads true or false. */
export const boolean: Read<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'true or false', value);

/** Reads bytes. */
export const bytes: Read<Uint8Array> = (value, path) =>
  value instanceof Uint8Array ? value : refuse(path, 'bytes (Uint8Array)', value);

/** Reads an object whose values are texts. */
export const strings: Read<Readonly<Record<string, string>>> = (value, path) =>
  isRecord(value)
    ? (value as Readonly<Record<string, string>>)
    : refuse(path, 'an object of texts', value);

/** Reads a non-empty, trimmed text on one line, at most `charactersMax` long. */
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

/** Reads an integer in this range. */
export function integer(min: number, max: number): Read<number> {
  return (value, path) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : refuse(path, `a whole number from ${min} to ${max}`, value);
}

/** Reads one of `words`, in any letter case. */
export function oneOf<Word extends string>(words: readonly Word[]): Read<Word> {
  return (value, path) => {
    const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
    const found = words.find((each) => each.toLowerCase() === lower);
    return found ?? refuseWord(path, words, value);
  };
}

/** Reads an IANA time zone name. */
export const timeZone: Read<string> = (value, path) =>
  typeof value === 'string' && isTimeZone(value)
    ? value
    : refuse(path, 'a time zone such as Europe/Prague', value);

/** Default maximum length of a text in characters. */
const TEXT_MAX = 400;

/** Returns `value` trimmed, undefined if empty. @throws validation.error if it is too long */
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

/** Like {@link text}, on one line: for headers, subjects and file names. */
export function line(value: string | undefined, name: string, max = TEXT_MAX): string | undefined {
  const known = text(value, name, max);
  if (known !== undefined && /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(known)) {
    invalid(name, 'expected one line of text, found a line break, tab or unpaired surrogate');
  }
  return known;
}

/** Reads the author of a change: the address of a user, or `System`. */
export const actor: Read<string> = (by, path) => {
  if (typeof by !== 'string') return invalid(path, `expected text, found ${typeof by}`);
  return line(by, path) ?? invalid(path, 'expected the author of the request, found nothing');
};

/** Reads a key from any input. A value that is not text matches nothing. */
export const anyKey: Read<string> = (key) => (typeof key === 'string' ? key : typeof key);

/** Like {@link text}, at most `max` characters long. */
export function longText(max: number): Read<string | undefined> {
  return (value, path) => text(value as string | undefined, path, max);
}

/** True if there is no text, or only white space. */
export function isBlank(value: string | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}

/** Formats a value for errors: short, and only its kind if it has members. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value !== 'object') return String(value);
  if (types.isPromise(value)) return NOT_AWAITED;
  if (types.isDate(value)) return 'a Date';
  if (types.isUint8Array(value)) return 'bytes';
  return Array.isArray(value) ? 'a list' : 'an object';
}
