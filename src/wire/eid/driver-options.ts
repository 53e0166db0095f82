import { isAbsolute, join } from 'node:path';
import { readNamedNow } from '../../adapters/files/index.ts';
import { readTextNow } from '../../adapters/read-file.ts';
import { InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { readCertificates } from '../files/read-certificates.ts';
import type { EidMember, EidMembers } from './drivers.table.ts';

/** Location of the options of a provider. */
export interface OptionPlace {
  /** Folder that relative paths are resolved against. */
  readonly folder: string;
  /** File and member, for messages. */
  readonly path: string;
}

/**
 * Converts members of a configuration to options of a driver. Secrets and certificates are read
 * from the files named there. A secret in the configuration itself is rejected.
 *
 * @throws config.invalid
 */
export function driverOptions(
  members: EidMembers,
  given: Readonly<Record<string, unknown>>,
  place: OptionPlace,
): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const names = Object.entries(members).map(([name, kind]) => writtenName(name, kind));
  for (const [written, value] of Object.entries(given)) {
    const path = `${place.path}.${written}`;
    const found = Object.entries(members).find(
      ([name, kind]) => writtenName(name, kind) === written,
    );
    if (found === undefined) throw unknownMember(path, written, members, names);
    const [name, kind] = found;
    options[name] = optionOf(kind, value, { ...place, path });
  }
  return options;
}

function optionOf(kind: EidMember, value: unknown, place: OptionPlace): unknown {
  const { path, folder } = place;
  if (kind === 'value') return value;
  if (typeof kind === 'object') {
    if (isRecord(value)) return driverOptions(kind, value, place);
    throw invalidOption(path, 'an object');
  }
  if (kind === 'secrets') {
    const files = Object.entries(value ?? {}) as [string, unknown][];
    const read = (name: string, file: unknown) =>
      readSecret(`${path}.${name}`, requireText(`${path}.${name}`, file), folder);
    return Object.fromEntries(files.map(([name, file]) => [name, read(name, file)]));
  }
  if (kind === 'secret') return readSecret(path, requireText(path, value), folder);
  const files = kind === 'certificates' ? requireTexts(path, value) : [requireText(path, value)];
  const certificates = files.flatMap((file) => certificatesIn(path, pathIn(folder, file)));
  return kind === 'certificates' ? certificates : certificates[0];
}

/** A secret is given as the path of its file, so that the configuration contains none. */
function writtenName(name: string, kind: EidMember): string {
  if (kind === 'secrets') return `${name}Files`;
  return kind === 'secret' || kind === 'certificate' ? `${name}File` : name;
}

/** Returns the first line of a file, or the whole file if it is PEM. */
export function readSecret(path: string, file: string, folder: string): string {
  const text = readConfiguredText(path, pathIn(folder, file));
  const secret = text.includes('-----BEGIN') ? text : (text.split(/\r?\n/)[0] ?? '').trim();
  if (secret === '') throw invalidOption(path, 'a file with a secret on its first line');
  return secret;
}

function certificatesIn(path: string, file: string): readonly Uint8Array[] {
  try {
    const { certificates } = readCertificates(readNamedNow(file));
    if (certificates.length > 0) return certificates.map(({ der }) => der);
  } catch (cause) {
    throw invalidOption(path, `certificates in ${file}, PEM or DER`, cause);
  }
  throw invalidOption(path, `certificates in ${file}, PEM or DER`);
}

function readConfiguredText(path: string, file: string): string {
  try {
    return readTextNow(file);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw invalidOption(path, `a readable file at ${file} (${reason})`, cause);
  }
}

/** Returns an absolute path unchanged, and resolves others against the configuration's folder. */
export function pathIn(folder: string, file: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

function requireText(path: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalidOption(path, 'the path of a file');
}

function requireTexts(path: string, value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (isList && value.length > 0) return value;
  throw invalidOption(path, 'an array of paths of files');
}

function unknownMember(
  path: string,
  written: string,
  members: EidMembers,
  names: readonly string[],
): InnsigliError {
  if (members[written] === 'secret') {
    const message = `${path}: expected no secret here`;
    return new InnsigliError('config.invalid', message, {
      hint: `put the secret in a file and name the file in ${written}File`,
    });
  }
  return invalidOption(path, `one of the members ${names.join(', ')}`);
}

function invalidOption(path: string, expected: string, cause?: unknown): InnsigliError {
  return new InnsigliError('config.invalid', `${path}: expected ${expected}`, { cause });
}
