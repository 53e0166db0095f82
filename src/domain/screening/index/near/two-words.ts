import { OTHER_LETTERS } from '../../names/alike/letters.ts';
import { JOINED_APART, joinedLikeness, mayBeJoined } from '../../names/word-likeness.ts';
import type { NameWord } from '../../names/words.ts';
import { type IndexArrays, pairOf } from '../layout.ts';
import { SHORTEST_SPLIT, type Vocabulary } from '../vocabulary.ts';

/** Two neighbours of names, by the letters of both together. */
interface Pairs {
  /** Which letters both have, as {@link NameWord.letters}. */
  readonly letters: number[];
  readonly found: TwoNeighbours[];
}

/** Two words, and the names in which one follows the other. */
interface TwoNeighbours {
  readonly first: number;
  readonly second: number;
  readonly names: number[];
}

/** The names of an index by two neighbours that may be one word of a query. */
export class TwoWords {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  /** By the length of both. */
  readonly #pairs: (Pairs | undefined)[] = [];

  constructor(arrays: IndexArrays, vocabulary: Vocabulary) {
    const { nameStart, nameWords } = arrays;
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    const known = new Map<number, TwoNeighbours>();
    for (let name = 0; name + 1 < nameStart.length; name++) {
      const end = nameStart[name + 1] as number;
      for (let at = nameStart[name] as number; at + 1 < end; at++) {
        const [first, second] = [nameWords[at] as number, nameWords[at + 1] as number];
        const key = pairOf(first, second);
        const two = known.get(key) ?? { first, second, names: [] };
        if (two.names.length === 0) this.#add(two);
        two.names.push(name);
        known.set(key, two);
      }
    }
  }

  #add(two: TwoNeighbours): void {
    const { wordStart, wordFacts } = this.#arrays;
    const { first, second } = two;
    const ofFirst = (wordStart[first + 1] as number) - (wordStart[first] as number);
    const length = ofFirst + (wordStart[second + 1] as number) - (wordStart[second] as number);
    this.#pairs[length] ??= { letters: [], found: [] };
    this.#pairs[length]?.found.push(two);
    const letters = (wordFacts[3 * first] as number) | (wordFacts[3 * second] as number);
    this.#pairs[length]?.letters.push(letters);
  }

  /** The names of which two neighbours that are written as one are alike to `word`. */
  namesOf(word: NameWord): readonly number[] {
    const { length } = word.text;
    if (length < SHORTEST_SPLIT - 1) return none;
    let names = none as number[];
    for (let each = length - JOINED_APART; each <= length + JOINED_APART; each++) {
      const pairs = this.#pairs[each];
      if (pairs === undefined) continue;
      const { letters, found } = pairs;
      for (let at = 0; at < letters.length; at++) {
        const others = letters[at] as number;
        if (hasManyOf(others, word.letters) || !mayBeJoined(each, others, word)) continue;
        const two = found[at] as TwoNeighbours;
        if (this.#isAlike(two, word)) names = [...names, ...two.names];
      }
    }
    return names;
  }

  #isAlike({ first, second }: TwoNeighbours, { text }: NameWord): boolean {
    const joined = this.#vocabulary.text(first) + this.#vocabulary.text(second);
    return joinedLikeness(joined, text) > 0;
  }
}

/** True for basic letters of which more than four are in one alone: no mistakes are so cheap. */
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
