import { types } from 'node:util';
import { InnsigliError } from './errors.ts';

/**
 * Refuses an argument that TypeScript would not let pass: plain JavaScript has no compiler to say
 * so, and an error deep inside would not name it.
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
  // Those of another realm, such as that of a test runner, are bytes too.
  requireGiven(name, 'bytes (Uint8Array or Buffer)', value, types.isUint8Array(value));
}

/** Requires an object that can be read. @throws usage.invalid */
export function requireObject(name: string, value: unknown): void {
  requireGiven(name, 'an object', value, typeof value === 'object' && value !== null);
  requireGiven(name, 'an object', value, kindOf(value) !== REVOKED);
}

/** The error for such an argument; of a text that is no PEM it shows the beginning. */
export function wrongArgument(name: string, expected: string, found: unknown): InnsigliError {
  const isShown = typeof found === 'string' && !found.includes('-----');
  const shown = isShown ? `"${found.slice(0, 40)}"` : kindOf(found);
  return new InnsigliError('usage.invalid', `${name}: expected ${expected}, found ${shown}`);
}

/** What errors call the result of a call without `await`. */
export const NOT_AWAITED = 'a Promise that was not awaited';

const REVOKED = 'a revoked Proxy';

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
    if (types.isPromise(value)) return NOT_AWAITED;
    return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
  } catch {
    return REVOKED;
  }
}
