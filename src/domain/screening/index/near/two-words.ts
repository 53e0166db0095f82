import { leastCost, OTHER_LETTERS } from '../../names/alike/letters.ts';
import { JOINED_APART, likenessOfCodes, mostJoined } from '../../names/word-likeness.ts';
import type { NameWord } from '../../names/words.ts';
import { type IndexArrays, pairOf } from '../layout.ts';
import { SHORTEST_SPLIT } from '../vocabulary.ts';

/** Two adjacent words, and the names in which they occur. */
interface TwoNeighbours {
  readonly first: number;
  readonly second: number;
  readonly names: number[];
}

/** Pairs of adjacent words with a given total length. */
interface Pairs {
  /** Maximum cost of a word that is similar to both joined. */
  readonly most: number;
  /** Letters of both words, as {@link NameWord.letters}. */
  readonly letters: Int32Array;
  readonly found: readonly TwoNeighbours[];
}

/** Names of an index by pairs of adjacent words that may be one word of a query. */
export class TwoWords {
  readonly #arrays: IndexArrays;
  /** By total length. */
  readonly #pairs: readonly Pairs[];
  #codes = new Uint16Array(64);

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
    const byLength: TwoNeighbours[][] = [];
    for (const two of neighboursOf(arrays)) {
      const length = this.#lengthOf(two.first) + this.#lengthOf(two.second);
      while (byLength.length <= length) byLength.push([]);
      byLength[length]?.push(two);
    }
    this.#pairs = byLength.map((found, length) => {
      return { most: mostJoined(length), letters: lettersOf(arrays, found), found };
    });
  }

  #lengthOf(word: number): number {
    const { wordStart } = this.#arrays;
    return (wordStart[word + 1] as number) - (wordStart[word] as number);
  }

  /** Names in which two adjacent words, joined, are similar to `word`. */
  namesOf(word: NameWord): readonly number[] {
    const { length } = word.text;
    if (length < SHORTEST_SPLIT - 1) return none;
    let names = none as number[];
    const last = Math.min(length + JOINED_APART, this.#pairs.length - 1);
    for (let each = length - JOINED_APART; each <= last; each++) {
      const { most, letters, found } = this.#pairs[each] as Pairs;
      for (let at = 0; at < letters.length; at++) {
        const others = letters[at] as number;
        if (hasManyOf(others, word.letters) || leastCost(others, word.letters) > most) continue;
        const two = found[at] as TwoNeighbours;
        if (this.#isAlike(two, word.text)) names = [...names, ...two.names];
      }
    }
    return names;
  }

  #isAlike({ first, second }: TwoNeighbours, text: string): boolean {
    const length = this.#lengthOf(first) + this.#lengthOf(second);
    if (length > this.#codes.length) this.#codes = new Uint16Array(2 * length);
    this.#put(second, this.#put(first, 0));
    return likenessOfCodes(this.#codes, length, text) > 0;
  }

  /** Appends the letters of a word at `from`; returns the end. */
  #put(word: number, from: number): number {
    const { letters, wordStart } = this.#arrays;
    let place = from;
    for (let at = wordStart[word] as number; at < (wordStart[word + 1] as number); at++) {
      this.#codes[place++] = letters[at] as number;
    }
    return place;
  }
}

/** Every pair of words that are adjacent in a name. */
function neighboursOf({ nameStart, nameWords }: IndexArrays): Iterable<TwoNeighbours> {
  const known = new Map<number, TwoNeighbours>();
  for (let name = 0; name + 1 < nameStart.length; name++) {
    const end = nameStart[name + 1] as number;
    for (let at = nameStart[name] as number; at + 1 < end; at++) {
      const first = nameWords[at] as number;
      const second = nameWords[at + 1] as number;
      const key = pairOf(first, second);
      const two = known.get(key) ?? { first, second, names: [] };
      if (two.names.length === 0) known.set(key, two);
      two.names.push(name);
    }
  }
  return known.values();
}

function lettersOf({ wordFacts }: IndexArrays, found: readonly TwoNeighbours[]): Int32Array {
  return Int32Array.from(
    found,
    ({ first, second }) => (wordFacts[3 * first] as number) | (wordFacts[3 * second] as number),
  );
}

/** Whether more than four basic letters occur in only one word: too many for a misspelling. */
function hasManyOf(one: number, other: number): boolean {
  if (((one | other) & OTHER_LETTERS) !== 0) return false;
  let rest = one ^ other;
  rest &= rest - 1;
  rest &= rest - 1;
  rest &= rest - 1;
  rest &= rest - 1;
  return rest !== 0;
}

const none: readonly number[] = [];
