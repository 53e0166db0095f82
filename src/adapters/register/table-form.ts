import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { RegisterFigures, Vault } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

// Format of the file, integers big-endian:
//   mark ‖ records ‖ index ‖ trailer ‖ length of trailer (4)
//   record   entry of a person, JSON, encrypted by the vault
//   index    sorted entries of 26 bytes: key (16) ‖ offset (6) ‖ length (4) of the record
//   trailer  count, offset and SHA-256 of the index, time; JSON, encrypted

/** First bytes of the file. */
export const MARK = 'innsigli-register-1\n';
/** Length of a key, which is meaningless without the key of the vault. */
export const KEY_BYTES = 16;
/** Length of an index entry. */
export const ENTRY_BYTES = KEY_BYTES + 6 + 4;
/** Maximum length of the trailer, and of a record. */
const TEXT_BYTES_MAX = 16 * 1024;
const READ_BYTES = 1024 * 1024;

/** Vault context of the trailer. */
export const endContext = 'register.end';

/** Vault context of a record, which binds it to its person. */
export function recordContext(key: Buffer): string {
  return `register.person:${key.toString('hex')}`;
}

/** Key of a person, derived from the national number. */
export function keyOf(vault: Vault, ssn: string): Buffer {
  return Buffer.from(vault.index(`register:${ssn}`), 'hex').subarray(0, KEY_BYTES);
}

/** Contents of the trailer. */
export interface TableFacts extends RegisterFigures {
  readonly indexAt: number;
}

/** Reads and checks the trailer and the index of a file. @throws register.table.invalid */
export async function readFacts(
  file: FileHandle,
  sizeBytes: number,
  vault: Vault,
): Promise<TableFacts> {
  const mark = await bytesAt(file, 0, MARK.length);
  if (mark.toString('latin1') !== MARK) throw damaged('the start is different');
  const length = (await bytesAt(file, sizeBytes - 4, 4)).readUInt32BE(0);
  if (length > TEXT_BYTES_MAX) throw damaged('the end is different');
  const end = await bytesAt(file, sizeBytes - 4 - length, length);
  const facts = JSON.parse(openText(vault, end, endContext)) as {
    readonly count: number;
    readonly indexAt: number;
    readonly sha256: string;
    readonly importedAtMs: number;
  };
  const { count, indexAt, sha256, importedAtMs } = facts;
  const isWhole = indexAt + count * ENTRY_BYTES + length + 4 === sizeBytes;
  if (!isWhole || count > limits.registerPersons) throw damaged('a part is missing');
  if ((await sha256Of(file, indexAt, count * ENTRY_BYTES)) !== sha256) {
    throw damaged('the index was changed');
  }
  return { persons: count, indexAt, importedAtMs };
}

/** The text of a person's record; undefined if there is none. @throws register.table.invalid */
export async function findRecord(
  file: FileHandle,
  { persons, indexAt }: TableFacts,
  vault: Vault,
  ssn: string,
): Promise<string | undefined> {
  const key = keyOf(vault, ssn);
  let [low, high] = [0, persons];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = await bytesAt(file, indexAt + middle * ENTRY_BYTES, ENTRY_BYTES);
    const order = entry.compare(key, 0, KEY_BYTES, 0, KEY_BYTES);
    if (order === 0) {
      const length = entry.readUInt32BE(KEY_BYTES + 6);
      if (length > TEXT_BYTES_MAX) throw damaged('a record is too long');
      const record = await bytesAt(file, entry.readUIntBE(KEY_BYTES, 6), length);
      return openText(vault, record, recordContext(key));
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** The error for an unusable file. */
export function damaged(why: string, cause?: unknown): InnsigliError {
  const message = `the imported register of persons cannot be used: ${why}`;
  return new InnsigliError('register.table.invalid', message, {
    hint: 'import it again: innsigli register import FILE',
    cause,
  });
}

function openText(vault: Vault, sealed: Buffer, context: string): string {
  try {
    return vault.decrypt(sealed.toString('latin1'), context);
  } catch (error) {
    throw damaged('it was changed, or the key of the data directory is different', error);
  }
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  if (offset < 0) throw damaged('a part is missing');
  const bytes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await file.read(bytes, at, length - at, offset + at);
    if (bytesRead === 0) throw damaged('a part is missing');
    at += bytesRead;
  }
  return bytes;
}

async function sha256Of(file: FileHandle, from: number, lengthBytes: number): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < lengthBytes; at += READ_BYTES) {
    hash.update(await bytesAt(file, from + at, Math.min(READ_BYTES, lengthBytes - at)));
  }
  return hash.digest('hex');
}
