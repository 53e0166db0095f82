import { requireBytes, requireGiven, requireObject, wrongArgument } from '../base/given.ts';
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
  requireBytes('the document', document);
}

/** Options of sealing, archiving and verifying. @throws usage.invalid */
export function requireOptions(options: unknown): void {
  requireObject('options', options);
  const { level, trust, certificates, password, now, certify } = options as Given;
  if (level !== undefined && !(sealLevels as readonly unknown[]).includes(level)) {
    throw wrongArgument('level', sealLevels.join(', '), level);
  }
  requireArray('trust', trust);
  requireArray('certificates', certificates);
  if (password !== undefined && typeof password !== 'string') {
    throw wrongArgument('password', 'text', typeof password);
  }
  const isPermission = certify === undefined || certify === 1 || certify === 2 || certify === 3;
  requireGiven('certify', '1, 2 or 3', certify, isPermission);
  if (now !== undefined && typeof now !== 'function') throw wrongArgument('now', 'a function', now);
}

function requireArray(name: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw wrongArgument(name, 'an array of PEM text or bytes', value);
}

/** An object with these functions. @throws usage.invalid */
export function requirePort(name: string, value: unknown, ...functions: readonly string[]): void {
  const isObject = typeof value === 'object' && value !== null;
  const missing = functions.filter((each) => typeof (value as Given)?.[each] !== 'function');
  if (isObject && missing.length === 0) return;
  throw wrongArgument(name, `an object with ${functions.join(' and ')}`, value);
}
