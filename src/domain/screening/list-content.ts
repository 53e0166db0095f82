import { InnsigliError } from '../../base/errors.ts';
import {
  buildNameIndex,
  parseNameIndex,
  serializeNames,
  type WeighedIndex,
} from './index/name-index.ts';
import { isOfOtherEngine } from './index/serialize.ts';
import type { ListedPerson } from './listed-person.ts';

const MAGIC = 'innsigli-list 1\n';
const ALIGNMENT = 8;

/** The persons of a list, opened for searching. */
export interface ListContent {
  readonly index: WeighedIndex;
  /** Number of persons: they are numbered from 0, as in the index. */
  readonly count: number;
  person(number: number): ListedPerson;
}

/**
 * The persons of a list and the index of their names, as bytes:
 *
 * ```
 * magic (16) | count (8) | length of the index (8) | start of each person and the end (8 each)
 * | index, at a multiple of 8 | persons, JSON in UTF-8, one after the other
 * ```
 *
 * @throws limit.exceeded
 */
export function serializeList(persons: readonly ListedPerson[]): Uint8Array {
  const index = serializeNames(persons);
  const texts = persons.map((person) => Buffer.from(JSON.stringify(person)));
  const starts = new Float64Array(persons.length + 1);
  texts.forEach((text, at) => {
    starts[at + 1] = (starts[at] as number) + text.length;
  });
  const sizes = new Float64Array([persons.length, index.length]);
  const padding = Buffer.alloc((ALIGNMENT - (index.length % ALIGNMENT)) % ALIGNMENT);
  const parts = [Buffer.from(MAGIC), bytesOf(sizes), bytesOf(starts), index, padding, ...texts];
  return Buffer.concat(parts);
}

/**
 * The list in bytes of {@link serializeList}. An index of another engine is made again from the
 * persons.
 *
 * @throws blob.corrupt
 */
export function parseList(given: Uint8Array): ListContent {
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (text.toString('latin1', 0, MAGIC.length) !== MAGIC) throw corrupt();
  const [count = 0, indexBytes = 0] = floatsAt(bytes, MAGIC.length, 2);
  const starts = floatsAt(bytes, MAGIC.length + 16, count + 1);
  const indexStart = MAGIC.length + 16 + 8 * (count + 1);
  if (!(indexStart + indexBytes <= bytes.length)) throw corrupt();
  const textStart = indexStart + Math.ceil(indexBytes / ALIGNMENT) * ALIGNMENT;
  const isWhole = textStart + (starts[count] as number) === bytes.length;
  if (!isWhole) throw corrupt();
  const person = (number: number): ListedPerson => {
    const [from, to] = [starts[number] ?? Number.NaN, starts[number + 1] ?? Number.NaN];
    if (!(to > from && textStart + to <= bytes.length)) throw corrupt();
    return JSON.parse(text.toString('utf8', textStart + from, textStart + to)) as ListedPerson;
  };
  const written = bytes.subarray(indexStart, indexStart + indexBytes);
  const index = isOfOtherEngine(written)
    ? buildNameIndex(Array.from({ length: count }, (_, at) => person(at)))
    : parseNameIndex(written);
  if (index.personCount !== count) throw corrupt();
  return { index, count, person };
}

function bytesOf(array: Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function floatsAt(bytes: Uint8Array, offsetBytes: number, count: number): Float64Array {
  if (!(count >= 0 && offsetBytes + 8 * count <= bytes.length)) throw corrupt();
  return new Float64Array(bytes.buffer as ArrayBuffer, bytes.byteOffset + offsetBytes, count);
}

function corrupt(): InnsigliError {
  return new InnsigliError('blob.corrupt', 'expected a list of this version', {
    hint: 'innsigli screen lists import makes it again',
  });
}
