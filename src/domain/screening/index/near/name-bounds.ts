import { isTelling, mostAlike } from '../../names/align.ts';
import type { IndexArrays } from '../layout.ts';

/** Properties of a query that do not depend on the compared name. */
export interface QuerySums {
  /** Number of words. */
  readonly count: number;
  /** Weight of each word. */
  readonly weights: Float64Array;
  /** Sum of the weights. */
  readonly whole: number;
  /** Sum of the weights of those words that can contradict a name. */
  readonly telling: number;
}

/** Bit for a name of which two words may be one word of the query. */
export const SPLIT_BIT = 1 << 30;

/**
 * Upper bound of {@link alignNames} for a name if only some words of the query have a similar word
 * in it: each similarity is at most 1, the weight of two words is at most their mean, and unmatched
 * words count as they do there.
 */
export class NameBounds {
  readonly #wholes: Float64Array;
  readonly #telling: Float64Array;
  readonly #heaviest: Float64Array;

  /** @param weightOf weight of a word of the index */
  constructor(arrays: IndexArrays, weightOf: (word: number) => number) {
    const { nameStart, nameWords, wordStart } = arrays;
    const count = arrays.namePerson.length;
    this.#wholes = new Float64Array(count);
    this.#telling = new Float64Array(count);
    this.#heaviest = new Float64Array(count);
    for (let name = 0; name < count; name++) {
      const words = nameWords.subarray(nameStart[name], nameStart[name + 1]);
      for (const word of words) {
        const weight = weightOf(word);
        const isInitial = (wordStart[word + 1] as number) - (wordStart[word] as number) < 2;
        // An initial matches any word that starts with it.
        const heaviest = isInitial ? Number.POSITIVE_INFINITY : weight;
        this.#wholes[name] = (this.#wholes[name] as number) + weight;
        if (isTelling(weight)) this.#telling[name] = (this.#telling[name] as number) + weight;
        this.#heaviest[name] = Math.max(this.#heaviest[name] as number, heaviest);
      }
    }
  }

  /** Whether a name has an initial, which matches any word that starts with it. */
  hasInitial(name: number): boolean {
    return this.#heaviest[name] === Number.POSITIVE_INFINITY;
  }

  /**
   * Maximum result of a comparison, 0 to 1.
   *
   * @param bits the words of the query that may match a word of the name, and {@link SPLIT_BIT}
   */
  most(name: number, bits: number, { count: words, weights, whole, telling }: QuerySums): number {
    if ((bits & SPLIT_BIT) !== 0 || this.hasInitial(name)) return 1;
    const heaviest = this.#heaviest[name] as number;
    let met = 0;
    let count = 0;
    for (let at = 0; at < words; at++) {
      if ((bits & (1 << at)) === 0) continue;
      met += weights[at] as number;
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

/**
 * Maximum similarity of any name without initials that has words for these terms only.
 *
 * @param bits the terms, as a bit mask
 */
export function mostOfAny(bits: number, { count: words, weights, whole }: QuerySums): number {
  let met = 0;
  let count = 0;
  for (let at = 0; at < words; at++) {
    if ((bits & (1 << at)) === 0) continue;
    met += weights[at] as number;
    count += 1;
  }
  // No word of a list weighs more than 1.
  return mostAlike((met + count) / 2, whole - met, 0, 0, count);
}
