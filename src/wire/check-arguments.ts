import { CoreError } from '../base/errors.ts';
import { sealLevels } from '../base/level.ts';

/** What plain JavaScript can hand in. */
type Given = Readonly<Record<string, unknown>>;

/**
 * Refuses arguments that TypeScript would not let pass: plain JavaScript has no compiler to say
 * so, and an error deep inside would not name them.
 *
 * @throws usage.invalid
 */
export function requireDocument(document: unknown): void {
  if (document instanceof Uint8Array) return;
  throw wrong('the document', 'bytes (Uint8Array or Buffer)', document);
}

/** Options of sealing, archiving and verifying. @throws usage.invalid */
export function requireOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw wrong('options', 'an object', options);
  const { level, trust, certificates, password, now } = options as Given;
  if (level !== undefined && !(sealLevels as readonly unknown[]).includes(level)) {
    throw wrong('level', sealLevels.join(', '), level);
  }
  requireArray('trust', trust);
  requireArray('certificates', certificates);
  if (password !== undefined && typeof password !== 'string') {
    throw wrong('password', 'text', typeof password);
  }
  if (now !== undefined && typeof now !== 'function') throw wrong('now', 'a function', now);
}

function requireArray(name: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw wrong(name, 'an array of PEM text or bytes', value);
}

/** An object with these functions. @throws usage.invalid */
export function requirePort(name: string, value: unknown, ...functions: readonly string[]): void {
  const isObject = typeof value === 'object' && value !== null;
  const missing = functions.filter((each) => typeof (value as Given)?.[each] !== 'function');
  if (isObject && missing.length === 0) return;
  throw wrong(name, `an object with ${functions.join(' and ')}`, value);
}

function wrong(name: string, expected: string, found: unknown): CoreError {
  const shown = typeof found === 'string' ? `"${found.slice(0, 40)}"` : kindOf(found);
  return new CoreError('usage.invalid', `${name}: expected ${expected}, found ${shown}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
