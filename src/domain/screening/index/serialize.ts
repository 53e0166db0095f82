import { createHash } from 'node:crypto';
import { InnsigliError } from '../../../base/errors.ts';
import { engineVersion } from './engine.ts';
import type { IndexArrays } from './layout.ts';

const MAGIC = 'innsigli-names\n';
const DIGEST_BYTES = 32;
const ALIGNMENT = 8;

const types = {
  Uint8: Uint8Array,
  Uint16: Uint16Array,
  Uint32: Uint32Array,
  Float64: Float64Array,
} as const;

/** The members of an index, in the order in which they are written. */
const members: Readonly<Record<keyof IndexArrays, keyof typeof types>> = {
  letters: 'Uint8',
  wordStart: 'Uint32',
  wordScript: 'Uint8',
  wordFacts: 'Uint32',
  postingStart: 'Uint32',
  postings: 'Uint32',
  nameStart: 'Uint32',
  nameWords: 'Uint32',
  nameFlags: 'Uint8',
  namePerson: 'Uint32',
  personStart: 'Uint32',
  spellings: 'Float64',
  sounds: 'Float64',
  wholes: 'Float64',
  birthStart: 'Uint32',
  births: 'Uint32',
  personFlags: 'Uint8',
  countryStart: 'Uint32',
  countries: 'Uint16',
};
const names = Object.keys(members) as (keyof IndexArrays)[];

/**
 * Serializes an index, in the byte order of the machine:
 *
 * ```
 * magic (15) NUL | SHA-256 of the rest (32) | engine version, NUL-padded (16) | lengths (8 each)
 * | arrays, each at a multiple of 8
 * ```
 */
export function serializeArrays(arrays: IndexArrays): Uint8Array {
  const bytes = new Uint8Array(serializedLength(arrays));
  writeArrays(arrays, bytes);
  return bytes;
}

/** The number of bytes that {@link writeArrays} writes. */
export function serializedLength(arrays: IndexArrays): number {
  return names.reduce((sum, name) => sum + padded(arrays[name].byteLength), headerBytes());
}

/**
 * Writes the bytes of {@link serializeArrays} to a buffer.
 *
 * @param bytes zeroed, of exactly the written length, at a multiple of 8 in its buffer
 */
export function writeArrays(arrays: IndexArrays, bytes: Uint8Array): void {
  const start = headerBytes();
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, start);
  header.write(MAGIC, 'latin1');
  header.write(engineVersion, MAGIC.length + 1 + DIGEST_BYTES, 'latin1');
  const lengthsAt = bytes.byteOffset + start - 8 * names.length;
  const lengths = new BigUint64Array(bytes.buffer, lengthsAt, names.length);
  let at = start;
  names.forEach((name, index) => {
    const array = arrays[name];
    lengths[index] = BigInt(array.length);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  });
  bytes.set(digestOf(bytes), MAGIC.length + 1);
}

/**
 * Parses the bytes of {@link serializeArrays}. Arrays are not copied if aligned to a multiple of 8.
 *
 * @throws blob.corrupt if the bytes were changed or truncated, or come from another engine or
 * machine
 */
export function parseArrays(given: Uint8Array): IndexArrays {
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const start = headerBytes();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < start || text.toString('latin1', 0, MAGIC.length) !== MAGIC) throw corrupt();
  const version = text.toString(
    'latin1',
    MAGIC.length + 1 + DIGEST_BYTES,
    start - 8 * names.length,
  );
  if (version.replace(/\0+$/, '') !== engineVersion) throw corrupt();
  const digest = text.subarray(MAGIC.length + 1, MAGIC.length + 1 + DIGEST_BYTES);
  if (!digest.equals(digestOf(bytes))) throw corrupt();
  const lengths = new BigUint64Array(
    bytes.buffer,
    bytes.byteOffset + start - 8 * names.length,
    names.length,
  );
  let at = start;
  const arrays = names.map((name, index) => {
    const Type = types[members[name]];
    const length = Number(lengths[index]);
    const lengthBytes = length * Type.BYTES_PER_ELEMENT;
    if (at + lengthBytes > bytes.length) throw corrupt();
    const array = new Type(bytes.buffer as ArrayBuffer, bytes.byteOffset + at, length);
    at += padded(lengthBytes);
    return [name, array] as const;
  });
  return Object.fromEntries(arrays) as unknown as IndexArrays;
}

/** Whether `bytes` are an intact index of another engine version. */
export function isOfOtherEngine(bytes: Uint8Array): boolean {
  const start = headerBytes();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < start || text.toString('latin1', 0, MAGIC.length) !== MAGIC) return false;
  const versionAt = MAGIC.length + 1 + DIGEST_BYTES;
  const version = text.toString('latin1', versionAt, versionAt + VERSION_BYTES);
  if (version.replace(/\0+$/, '') === engineVersion) return false;
  return text.subarray(MAGIC.length + 1, versionAt).equals(digestOf(bytes));
}

const VERSION_BYTES = 16;

function headerBytes(): number {
  return padded(MAGIC.length + 1 + DIGEST_BYTES + VERSION_BYTES + 8 * names.length);
}

function padded(lengthBytes: number): number {
  return Math.ceil(lengthBytes / ALIGNMENT) * ALIGNMENT;
}

function digestOf(bytes: Uint8Array): Uint8Array {
  const body = bytes.subarray(MAGIC.length + 1 + DIGEST_BYTES);
  return createHash('sha256').update(body).digest();
}

function corrupt(): InnsigliError {
  return new InnsigliError('blob.corrupt', 'expected an index of names of this version', {
    hint: 'recreate it with innsigli screen lists import',
  });
}
