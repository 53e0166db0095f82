import { types } from 'node:util';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { isPlain } from '../../base/given.ts';
import { invalid, isRecord, refuse, refuseWord, shown } from '../../base/input.ts';
import { packageData } from '../../base/package-data.ts';
import { type KnownMembers, requireKnownMembers } from './check-members.ts';

/** Accepted values of an argument. */
export interface ArgumentKind extends KnownMembers {
  /** Names of {@link kinds}, or `any`, or `undefined`. */
  readonly is: readonly string[];
  /** The only strings, numbers and booleans that are accepted. Undefined if all are. */
  readonly oneOf?: readonly (string | number | boolean)[];
  /** Like `oneOf`, in any letter case: the method receives the spelling given here. */
  readonly words?: readonly (string | number | boolean)[];
  /** Members of an object. Undefined if they are not checked. */
  readonly members?: Readonly<Record<string, ArgumentKind>>;
  /** Alternative sets of required members: the object needs all members of one set. */
  readonly forms?: readonly (readonly string[])[];
  /** Elements of a list. */
  readonly of?: ArgumentKind;
}

/** Parameters and return type of a method. */
export interface MethodKinds {
  /** In the order of the parameters. */
  readonly takes: Readonly<Record<string, ArgumentKind>>;
  /** The method returns no promise: it throws synchronously. */
  readonly isImmediate?: true;
}

interface Kind {
  readonly expected: string;
  fits(value: unknown): boolean;
}

const ofType = (type: string, expected: string): Kind => ({
  expected,
  fits: (value) => typeof value === type,
});
const iterable = (key: symbol, expected: string): Kind => ({
  expected,
  fits: (value) =>
    typeof (value as Readonly<Record<symbol, unknown>> | undefined)?.[key] === 'function',
});

const kinds: Readonly<Record<string, Kind>> = {
  text: ofType('string', 'text'),
  number: {
    expected: 'a number',
    fits: (value) => typeof value === 'number' && !Number.isNaN(value),
  },
  boolean: ofType('boolean', 'true or false'),
  function: ofType('function', 'a function'),
  bytes: {
    expected: 'bytes (Uint8Array or Buffer)',
    // Byte arrays of another realm, such as that of a test runner, are accepted too.
    fits: types.isUint8Array,
  },
  date: { expected: 'a Date', fits: types.isDate },
  list: { expected: 'a list', fits: Array.isArray },
  object: {
    expected: 'an object',
    fits: (value) => isRecord(value) && !types.isUint8Array(value) && !types.isPromise(value),
  },
  async: iterable(Symbol.asyncIterator, 'an async iterable'),
  iterable: iterable(Symbol.iterator, 'an iterable'),
  null: { expected: 'null', fits: (value) => value === null },
};

/**
 * Returns the arguments of a method of `openInnsigli`, checked by kind before any of them is used:
 * plain JavaScript has no compiler to report type errors. Optional values may also be null. Values
 * of literal types are checked too; all further checks are up to the method.
 *
 * @param path of the method, such as `company.webhooks.create`
 * @throws validation.error for methods of a company, usage.invalid for others
 */
export function checkedArguments(path: string, given: readonly unknown[]): readonly unknown[] {
  const parameters = Object.entries(methodOf(path)?.takes ?? {});
  const isOfCompany = path.includes('.') || path === 'createCompany';
  // Requests are validated without the name of the argument in their paths.
  const prefixOf = (name: string) => (isOfCompany ? '' : `${name}.`);
  const named = parameters.map(([name, known], at) => {
    return { name, prefix: prefixOf(name), known, value: given[at] };
  });
  try {
    requireKnownMembers(path.replace(/^company\./, ''), named);
    const checked = parameters.map(([name, declared], at) => {
      const isEnding = isOfCompany && given[at] === null && !declared.is.includes('object');
      const kind = isEnding ? needed(declared) : declared;
      return checkedValue(name, kind, given[at], prefixOf(name));
    });
    return [...checked.slice(0, given.length), ...given.slice(parameters.length)];
  } catch (error) {
    if (!isInnsigliError(error) || isOfCompany) throw error;
    const { message, hint } = error;
    throw new InnsigliError('usage.invalid', message, hint === undefined ? {} : { hint });
  }
}

/**
 * A positional null may be a mistake, and an omitted value has an effect: it ends a trial, or
 * removes a logo. So null does not count as omitted here.
 */
const needed = (kind: ArgumentKind): ArgumentKind => ({
  ...kind,
  is: kind.is.filter((word) => word !== 'undefined'),
});

/** Whether callers of this method expect errors as rejections. */
export function givesPromise(path: string): boolean {
  const method = methodOf(path);
  return method !== undefined && method.isImmediate !== true;
}

function methodOf(path: string): MethodKinds | undefined {
  const methods = packageData('types/arguments.json') as Readonly<Record<string, MethodKinds>>;
  return Object.hasOwn(methods, path) ? methods[path] : undefined;
}

/** @param prefix path prefix of the members */
function checkedValue(
  path: string,
  kind: ArgumentKind,
  value: unknown,
  prefix = `${path}.`,
): unknown {
  const { is: words, members, forms, of } = kind;
  if (words.includes('any')) return value;
  if (words.includes('undefined') && isLeftOut(words, value)) return undefined;
  const found = words.find((word) => kinds[word]?.fits(value));
  if (found === undefined) {
    const expected = words.flatMap((word) => kinds[word]?.expected ?? []).join(' or ');
    if (path.endsWith('Ms') && types.isDate(value)) {
      return invalid(
        path,
        `expected ${expected}, found a Date`,
        'date.getTime() gives milliseconds',
      );
    }
    if (members?.['lengthBytes'] === undefined) return refuse(path, expected, value);
    const message = `expected a source, found ${shown(value)}`;
    return invalid(path, message, 'memorySource(bytes) makes a source of bytes');
  }
  if (isPrimitive(value) && kind.oneOf?.includes(value) === false) {
    const others = words.filter((word) => !primitives.includes(word));
    const expected = others.flatMap((word) => kinds[word]?.expected ?? []);
    return refuseWord(path, [...kind.oneOf.map(String), ...expected], value);
  }
  if (kind.words !== undefined && isPrimitive(value) && value !== '') {
    const given = String(value).toLowerCase();
    const word = kind.words.find((each) => String(each).toLowerCase() === given);
    return word ?? refuseWord(path, kind.words.map(String), value);
  }
  if (found === 'list' && of !== undefined) {
    const list = value as readonly unknown[];
    const checked = list.map((each, at) => checkedValue(`${path}[${at}]`, of, each));
    return checked.every((each, at) => each === list[at]) ? list : checked;
  }
  if (found !== 'object' || members === undefined) return value;
  const object = value as Readonly<Record<string, unknown>>;
  const isComplete = (form: readonly string[]) => form.every((name) => object[name] != null);
  if (forms !== undefined && !forms.some(isComplete)) {
    const expected = forms.map((form) => form.join(' and ')).join(', or with ');
    const names = Object.keys(object).join(' and ') || 'nothing';
    return invalid(path, `expected an object with ${expected}, found one with ${names}`);
  }
  const checked = Object.entries(members).flatMap(([name, each]) => {
    const before = object[name];
    const after = isEmptied(each, before)
      ? undefined
      : checkedValue(`${prefix}${name}`, each, before);
    return after === before ? [] : [[name, after] as const];
  });
  // Class instances are implementations of the caller and are passed on unchanged.
  if (checked.length === 0 || !isPlain(object)) return value;
  return { ...object, ...Object.fromEntries(checked) };
}

const primitives: readonly string[] = ['text', 'number', 'boolean'];

function isPrimitive(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isLeftOut(words: readonly string[], value: unknown): boolean {
  return value === undefined || (value === null && !words.includes('null'));
}

/** Whether an optional non-text member is an empty string. Request validation also omits it. */
function isEmptied({ is: words }: ArgumentKind, value: unknown): boolean {
  return value === '' && words.includes('undefined') && !words.includes('text');
}
