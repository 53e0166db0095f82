import { types } from 'node:util';
import type { FileObject } from '../../app/documents/xml/request.ts';
import { equalBytes } from '../../base/bytes.ts';
import { requireObject, requireTextOrBytes } from '../../base/given.ts';
import { reading, taken } from '../../base/taken.ts';
import {
  optionNames,
  requireFiles,
  requireKnownNames,
  requireKnownOptions,
} from './check-arguments.ts';
import { requireKinds } from './option-kinds.ts';
import type { CertificateInput } from './ports.ts';

/** Options that are functions or objects with methods. Module take-ports handles them. */
const ports: ReadonlySet<string> = new Set([
  'signer',
  'timestampAuthority',
  'revocation',
  'now',
  'random',
]);
const certificateLists: ReadonlySet<string> = new Set(['trust', 'certificates']);

/**
 * Returns the options of a call. Each is read once and copied, and the copy is checked, so that the
 * checked value is the one that is used.
 *
 * @throws usage.invalid, limit.exceeded
 */
export function takeOptions<T extends object>(
  call: Exclude<keyof typeof optionNames, 'visible'>,
  given: T,
): T {
  requireObject('options', given);
  requireKnownNames(
    call,
    reading('options', () => Object.keys(given)),
  );
  const copy: Record<string, unknown> = {};
  for (const name of optionNames[call]) {
    const value = reading(name, () => (given as Readonly<Record<string, unknown>>)[name]);
    if (value !== undefined) copy[name] = takenOption(name, value);
  }
  requireKnownOptions(call, copy);
  requireKinds(copy);
  return copy as T;
}

/** Returns copies of named files. @throws usage.invalid, limit.exceeded */
export function takeFiles(given: readonly FileObject[]): readonly FileObject[] {
  const copy = reading('files', () => {
    if (!Array.isArray(given)) return given;
    return taken('files', Array.from(given, membersOf));
  });
  requireFiles(copy);
  return copy as readonly FileObject[];
}

/** Copies the members of a file, which may be an instance of any class. */
function membersOf(file: unknown): unknown {
  if (typeof file !== 'object' || file === null) return file;
  const { name, content, mimeType } = file as FileObject;
  return mimeType === undefined ? { name, content } : { name, content, mimeType };
}

function takenOption(name: string, value: unknown): unknown {
  if (ports.has(name)) return value;
  if (name === 'detached') return takeFiles(value as readonly FileObject[]);
  if (certificateLists.has(name)) return takenCertificates(name, value);
  return taken(name, value);
}

const known = new WeakMap<object, readonly CertificateInput[]>();

/** Copies certificates. Reuses the earlier copy if the same array still has the same contents. */
function takenCertificates(name: string, given: unknown): unknown {
  const earlier = known.get(given as object);
  if (earlier !== undefined && reading(name, () => isUnchanged(given, earlier))) return earlier;
  const copy = taken(name, given) as readonly CertificateInput[];
  if (!Array.isArray(copy)) return copy;
  for (const each of copy) requireTextOrBytes(`a certificate of ${name}`, each);
  known.set(given as object, copy);
  return copy;
}

/** Compares with the private copy, which is the one that is used. */
function isUnchanged(given: unknown, earlier: readonly CertificateInput[]): boolean {
  const list = given as readonly unknown[];
  return list.length === earlier.length && earlier.every((one, at) => isSame(one, list[at]));
}

function isSame(one: CertificateInput, other: unknown): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return types.isUint8Array(other) && equalBytes(one, other);
}
