import { FACTS, fact } from '../name-traits.ts';

/** Names that are read together: few enough for what was read to stay beside the processor. */
export const BLOCK = 64;

/** Bits of a name; the highest says something else. */
const NAME = 0x7fff_ffff;

/** What was read: nobody wants it, but what nobody keeps is not read. */
const kept = new Int32Array(BLOCK);

/**
 * Reads the facts of names that are looked at next. No step waits for what the one before has
 * read, so that many names come from memory at once; when each is looked at in turn, every one is
 * waited for.
 */
export function readAhead(table: Int32Array, names: Int32Array, from: number, count: number): void {
  for (let at = 0; at < count; at++) {
    kept[at] = table[FACTS * ((names[from + at] as number) & NAME)] as number;
  }
}

/** The same for the first name of each word. */
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
 * The same for the words of names whose facts were read, and what is known of these.
 *
 * @param ofWords any table of words that is looked at next
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
