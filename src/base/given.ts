import { types } from 'node:util';
import { attemptAny, InnsigliError } from './errors.ts';
import { findSimilar } from './text/index.ts';

/**
 * Rejects an argument that TypeScript would not accept. Plain JavaScript has no compiler to report
 * it, and an error deep inside would not name the argument.
 *
 * @throws usage.invalid
 */
export function requireGiven(name: string, expected: string, value: unknown, fits: boolean): void {
  if (!fits) throw wrongArgument(name, expected, value);
}

/** Requires PEM text, or bytes. @throws usage.invalid */
export function requireTextOrBytes(name: string, value: unknown): void {
  const fits = typeof value === 'string' || value instanceof Uint8Array;
  requireGiven(name, 'PEM text or bytes', value, fits);
}

/** Requires bytes. @throws usage.invalid */
export function requireBytes(name: string, value: unknown): void {
  // Byte arrays of another realm, such as that of a test runner, are accepted too.
  if (!types.isUint8Array(value)) throw wrongBytes(name, value);
}

/** Requires an object whose properties can be read. @throws usage.invalid */
export function requireObject(name: string, value: unknown): void {
  requireGiven(name, 'an object', value, typeof value === 'object' && value !== null);
  requireGiven(name, 'an object', value, kindOf(value) !== REVOKED);
}

/** True for a plain object. Class instances, such as signals and streams, are not data. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Rejects a name that `call` does not know, which would have no effect. @throws usage.invalid */
export function requireKnown(call: string, names: readonly string[], known: object): void {
  const unknown = names.find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw unknownOption(call, unknown, Object.keys(known));
}

/** The error for an option that `call` does not know, with the nearest known name. */
export function unknownOption(
  call: string,
  name: string,
  known: readonly string[],
  prefix = '',
): InnsigliError {
  const shown = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  const similar = findSimilar(name, known);
  const hint = similar === undefined ? `known: ${known.join(', ')}` : `did you mean "${similar}"?`;
  const message = `${prefix}${shown} is not an option of ${call}`;
  return new InnsigliError('usage.invalid', message, { hint });
}

/** The error for an invalid argument. For text that is not PEM, it shows the start. */
export function wrongArgument(name: string, expected: string, found: unknown): InnsigliError {
  const isShown = typeof found === 'string' && !found.includes('-----');
  const shown = isShown ? `"${found.slice(0, 40)}"` : kindOf(found);
  return new InnsigliError('usage.invalid', `${name}: expected ${expected}, found ${shown}`);
}

/** The error for a value that is not bytes, such as a file name or the whole result of a seal. */
export function wrongBytes(name: string, found: unknown): InnsigliError {
  const { code, message } = wrongArgument(name, 'bytes (Uint8Array or Buffer)', found);
  const hasBytes = attemptAny(() => types.isUint8Array((found as { bytes?: unknown }).bytes));
  if (hasBytes === true) return new InnsigliError(code, message, { hint: 'pass its member bytes' });
  const isText = typeof found === 'string';
  return new InnsigliError(code, message, isText ? { hint: 'pass the content, not a name' } : {});
}

/** Describes the result of a call without `await` in errors. */
export const NOT_AWAITED = 'a Promise that was not awaited';

const REVOKED = 'a revoked Proxy';

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
    if (types.isPromise(value)) return NOT_AWAITED;
    if (Array.isArray(value)) return 'an array';
  } catch {
    return REVOKED;
  }
  if (typeof value === 'object') return 'an object';
  // The value is not shown: a text may be a key, and a number a PIN.
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
