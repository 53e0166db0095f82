import { isTelling, mostAlike } from '../names/align.ts';
import { mayBeJoined } from '../names/word-likeness.ts';
import type { NameWord } from '../names/words.ts';
import type { Term } from './asked-words.ts';
import type { IndexArrays } from './layout.ts';
import { SHORTEST_SPLIT } from './vocabulary.ts';

/** What is known of a query before it is compared with any name. */
export interface QuerySums {
  readonly terms: readonly Term[];
  /** Sum of the weights of its words. */
  readonly whole: number;
  /** The same without words that contradict nothing. */
  readonly telling: number;
}

/** The sums of a query. */
export function sumsOf(terms: readonly Term[]): QuerySums {
  let [whole, telling] = [0, 0];
  for (const { weight } of terms) {
    whole += weight;
    if (isTelling(weight)) telling += weight;
  }
  return { terms, whole, telling };
}

/** Bit of a name that a word of the query may be two words of. */
export const SPLIT_BIT = 1 << 30;

/**
 * The most that {@link alignNames} can say of a name when only some words of the query have a word
 * that is alike: each likeness is 1 at most, the weight of two words is their mean at most, and
 * what is left over counts as it does there.
 */
export class NameBounds {
  readonly #arrays: IndexArrays;
  readonly #wholes: Float64Array;
  readonly #telling: Float64Array;
  readonly #heaviest: Float64Array;

  /** @param weightOf weight of a word of the index */
  constructor(arrays: IndexArrays, weightOf: (word: number) => number) {
    const { nameStart, nameWords, wordStart } = arrays;
    const count = arrays.namePerson.length;
    this.#arrays = arrays;
    this.#wholes = new Float64Array(count);
    this.#telling = new Float64Array(count);
    this.#heaviest = new Float64Array(count);
    for (let name = 0; name < count; name++) {
      const words = nameWords.subarray(nameStart[name], nameStart[name + 1]);
      for (const word of words) {
        const weight = weightOf(word);
        const isInitial = (wordStart[word + 1] as number) - (wordStart[word] as number) < 2;
        // An initial is alike to any word that begins so.
        const heaviest = isInitial ? Number.POSITIVE_INFINITY : weight;
        this.#wholes[name] = (this.#wholes[name] as number) + weight;
        if (isTelling(weight)) this.#telling[name] = (this.#telling[name] as number) + weight;
        this.#heaviest[name] = Math.max(this.#heaviest[name] as number, heaviest);
      }
    }
  }

  /**
   * The most that a comparison can come to, 0 to 1.
   *
   * @param bits the words of the query that may have a word in the name, and {@link SPLIT_BIT}
   */
  most(name: number, bits: number, { terms, whole, telling }: QuerySums): number {
    const heaviest = this.#heaviest[name] as number;
    if ((bits & SPLIT_BIT) !== 0 || heaviest === Number.POSITIVE_INFINITY) return 1;
    let met = 0;
    let count = 0;
    for (let at = 0; at < terms.length; at++) {
      const { word, weight } = terms[at] as Term;
      if ((bits & (1 << at)) === 0) {
        if (mayBeTwoWords(this.#arrays, name, word)) return 1;
        continue;
      }
      met += weight;
      count += 1;
    }
    const all = this.#wholes[name] as number;
    const metListed = Math.min(all, count * heaviest);
    const against = Math.min(telling - met, (this.#telling[name] as number) - metListed);
    return mostAlike(
      (met + metListed) / 2,
      whole - met,
      all - metListed,
      Math.max(0, against),
      count,
    );
  }
}

/** True when two neighbours of a name may be a word, by their lengths and letters. */
function mayBeTwoWords(
  { nameStart, nameWords, wordStart, wordFacts }: IndexArrays,
  name: number,
  word: NameWord,
): boolean {
  if (word.text.length < SHORTEST_SPLIT - 1) return false;
  for (let at = nameStart[name] as number; at + 1 < (nameStart[name + 1] as number); at++) {
    const [first, second] = [nameWords[at] as number, nameWords[at + 1] as number];
    const ofFirst = (wordStart[first + 1] as number) - (wordStart[first] as number);
    const length = ofFirst + (wordStart[second + 1] as number) - (wordStart[second] as number);
    const letters = (wordFacts[3 * first] as number) | (wordFacts[3 * second] as number);
    if (mayBeJoined(length, letters, word)) return true;
  }
  return false;
}
