import { InnsigliError } from '../../base/errors.ts';
import { buildNameIndex, parseNameIndex, type WeighedIndex } from './index/name-index.ts';
import { isOfOtherEngine } from './index/serialize.ts';
import type { ListedPerson } from './listed-person.ts';

const ALIGNMENT = 8;

/** The persons of a list, numbered from 0. */
export interface ListedPersons {
  readonly count: number;
  person(number: number): ListedPerson;
  /** The stored bytes of a person. Equal bytes mean an equal person. */
  bytes(number: number): Uint8Array;
}

/** The persons of a list, opened for searching. */
export interface ListContent extends ListedPersons {
  /** Its persons have the same numbers as those of the list. */
  readonly index: WeighedIndex;
}

/**
 * Binary layout of a list:
 *
 * ```
 * magic (16) | count (8) | length of the index (8) | start of each person and the end (8 each)
 * | index, at a multiple of 8 | persons, concatenated JSON in UTF-8
 * ```
 */
export const listLayout = {
  magic: 'innsigli-list 1\n',
  /** Offset of the two counts, which are followed by the starts. */
  lengthsAt: 16,
  startsAt: 32,
  indexAt: (count: number) => 32 + 8 * (count + 1),
  /** Offset of the persons, which follow an index of `indexBytes`. */
  personsAt: (count: number, indexBytes: number) =>
    listLayout.indexAt(count) + Math.ceil(indexBytes / ALIGNMENT) * ALIGNMENT,
} as const;

/**
 * Parses a list with the {@link listLayout}. An index of another engine version is rebuilt from the
 * persons.
 *
 * @throws blob.corrupt
 */
export function parseList(given: Uint8Array): ListContent {
  const { index: written, ...persons } = partsOf(given);
  const index = isOfOtherEngine(written)
    ? buildNameIndex(Array.from({ length: persons.count }, (_, at) => persons.person(at)))
    : parseNameIndex(written);
  if (index.personCount !== persons.count) throw corrupt();
  return { ...persons, index };
}

/** Parses only the persons of a list and ignores the index. @throws blob.corrupt */
export function parsePersons(given: Uint8Array): ListedPersons {
  return partsOf(given);
}

function partsOf(given: Uint8Array): ListedPersons & { readonly index: Uint8Array } {
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { magic, lengthsAt, startsAt, indexAt, personsAt } = listLayout;
  if (text.toString('latin1', 0, magic.length) !== magic) throw corrupt();
  const [count = 0, indexBytes = 0] = floatsAt(bytes, lengthsAt, 2);
  const starts = floatsAt(bytes, startsAt, count + 1);
  const indexStart = indexAt(count);
  if (!(indexStart + indexBytes <= bytes.length)) throw corrupt();
  const textStart = personsAt(count, indexBytes);
  const isWhole = textStart + (starts[count] as number) === bytes.length;
  if (!isWhole) throw corrupt();
  const bytesOfPerson = (number: number): Buffer => {
    const [from, to] = [starts[number] ?? Number.NaN, starts[number + 1] ?? Number.NaN];
    if (!(to > from && textStart + to <= bytes.length)) throw corrupt();
    return text.subarray(textStart + from, textStart + to);
  };
  return {
    count,
    index: bytes.subarray(indexStart, indexStart + indexBytes),
    bytes: bytesOfPerson,
    person: (number) => JSON.parse(bytesOfPerson(number).toString('utf8')) as ListedPerson,
  };
}

function floatsAt(bytes: Uint8Array, offsetBytes: number, count: number): Float64Array {
  if (!(count >= 0 && offsetBytes + 8 * count <= bytes.length)) throw corrupt();
  return new Float64Array(bytes.buffer as ArrayBuffer, bytes.byteOffset + offsetBytes, count);
}

function corrupt(): InnsigliError {
  return new InnsigliError('blob.corrupt', 'expected a list of this version', {
    hint: 'recreate it with innsigli screen lists import',
  });
}
