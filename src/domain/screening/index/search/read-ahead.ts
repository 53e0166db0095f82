import { FACTS, fact } from '../name-traits.ts';

/** Names prefetched together: few enough for the data to stay in the cache. */
export const BLOCK = 64;

/** Bits of a name number; the highest bit is a flag. */
const NAME = 0x7fff_ffff;

/** Sink for prefetched values: without a use, the reads would be optimised away. */
const kept = new Int32Array(BLOCK);

/**
 * Prefetches the facts of the names that are examined next. The reads do not depend on each other,
 * so that memory accesses overlap; otherwise each examination would wait for its own.
 */
export function readAhead(table: Int32Array, names: Int32Array, from: number, count: number): void {
  for (let at = 0; at < count; at++) {
    kept[at] = table[FACTS * ((names[from + at] as number) & NAME)] as number;
  }
}

/** Prefetches the first name of each word. */
export function readFirstAhead(
  postings: Uint32Array,
  postingStart: Uint32Array,
  words: readonly number[],
): void {
  for (let at = 0; at < words.length; at++) {
    kept[at & (BLOCK - 1)] = postings[postingStart[words[at] as number] as number] as number;
  }
}

/**
 * Prefetches the first word of names whose facts were read, and its entry in a table.
 *
 * @param ofWords the table of words that is read next
 */
export function readWordsAhead(
  table: Int32Array,
  names: Int32Array,
  from: number,
  count: number,
  nameWords: Uint32Array,
  ofWords: Int32Array,
): void {
  for (let at = 0; at < count; at++) {
    const start = table[FACTS * (names[from + at] as number) + fact.start] as number;
    kept[at] = ofWords[nameWords[start] as number] as number;
  }
}
