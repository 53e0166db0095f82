import { types } from 'node:util';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { invalid, isRecord, refuse, refuseWord } from '../../base/input.ts';
import { packageData } from '../../base/package-data.ts';

/** What an argument may be. */
export interface ArgumentKind {
  /** One of these words of {@link kinds}, or `any`, or `undefined`. */
  readonly is: readonly string[];
  /** The only texts, numbers and flags of these kinds that are taken; absent: all are. */
  readonly oneOf?: readonly (string | number | boolean)[];
  /** Members of an object; none when they are not checked. */
  readonly members?: Readonly<Record<string, ArgumentKind>>;
  /** Members that an object needs: those of one of several forms. */
  readonly forms?: readonly (readonly string[])[];
  /** Elements of a list. */
  readonly of?: ArgumentKind;
}

/** What a method takes, in the order of its parameters. */
export type MethodKinds = Readonly<Record<string, ArgumentKind>>;

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
    // Those of another realm, such as that of a test runner, are bytes too.
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
 * The arguments of a method of `openInnsigli`, checked by kind before any of them is used: plain
 * JavaScript has no compiler to say what is wrong. What may be left out may be null as well. For
 * methods for documents the values of literal types are checked, too; everything else is checked
 * by the method itself.
 *
 * @param path of the method, such as `company.webhooks.create`
 * @throws validation.error for methods of a company, usage.invalid for others
 */
export function checkedArguments(path: string, given: readonly unknown[]): readonly unknown[] {
  const methods = packageData('types/arguments.json') as Readonly<Record<string, MethodKinds>>;
  const parameters = Object.entries(methods[path] ?? {});
  try {
    const checked = parameters.map(([name, kind], at) => checkedValue(name, kind, given[at]));
    return [...checked.slice(0, given.length), ...given.slice(parameters.length)];
  } catch (error) {
    if (!isInnsigliError(error) || path.includes('.') || path === 'createCompany') throw error;
    const { message, hint } = error;
    throw new InnsigliError('usage.invalid', message, hint === undefined ? {} : { hint });
  }
}

function checkedValue(path: string, kind: ArgumentKind, value: unknown): unknown {
  const { is: words, members, forms, of } = kind;
  if (words.includes('any')) return value;
  if (words.includes('undefined') && isLeftOut(value, words)) return undefined;
  const found = words.find((word) => kinds[word]?.fits(value));
  if (found === undefined) {
    const expected = words.flatMap((word) => kinds[word]?.expected ?? []).join(' or ');
    if (members?.['lengthBytes'] === undefined) return refuse(path, expected, value);
    return invalid(path, 'expected a source', 'memorySource(bytes) makes a source of bytes');
  }
  if (isPrimitive(value) && kind.oneOf?.includes(value) === false) {
    const others = words.filter((word) => !primitives.includes(word));
    const expected = others.flatMap((word) => kinds[word]?.expected ?? []);
    return refuseWord(path, [...kind.oneOf.map(String), ...expected], value);
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
    return refuse(path, `an object with ${expected}`, value);
  }
  const checked = Object.entries(members).flatMap(([name, each]) => {
    const before = object[name];
    const after = checkedValue(`${path}.${name}`, each, before);
    return after === before ? [] : [[name, after] as const];
  });
  // Objects of classes are parties, and stay what they are.
  if (checked.length === 0 || !isPlain(object)) return value;
  return { ...object, ...Object.fromEntries(checked) };
}

const primitives: readonly string[] = ['text', 'number', 'boolean'];

function isPrimitive(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

// Readers of requests take an empty text for none, too.
function isLeftOut(value: unknown, words: readonly string[]): boolean {
  if (value === undefined) return true;
  if (value === null) return !words.includes('null');
  return value === '' && !words.includes('text');
}

/** Objects of classes, such as signals and streams, are parties and no data. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
