import { isTelling, mostAlike } from '../../names/align.ts';
import type { IndexArrays } from '../layout.ts';

/** What is known of a query before it is compared with any name. */
export interface QuerySums {
  /** Its words. */
  readonly count: number;
  /** How much each of them says. */
  readonly weights: Float64Array;
  /** Sum of the weights of its words. */
  readonly whole: number;
  /** The same without words that contradict nothing. */
  readonly telling: number;
}

/** Bit of a name of which two words may be one of the query. */
export const SPLIT_BIT = 1 << 30;

/**
 * The most that {@link alignNames} can say of a name when only some words of the query have a word
 * that is alike: each likeness is 1 at most, the weight of two words is their mean at most, and
 * what is left over counts as it does there.
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
        // An initial is alike to any word that begins so.
        const heaviest = isInitial ? Number.POSITIVE_INFINITY : weight;
        this.#wholes[name] = (this.#wholes[name] as number) + weight;
        if (isTelling(weight)) this.#telling[name] = (this.#telling[name] as number) + weight;
        this.#heaviest[name] = Math.max(this.#heaviest[name] as number, heaviest);
      }
    }
  }

  /** True for a name with an initial, which is alike to any word that begins so. */
  hasInitial(name: number): boolean {
    return this.#heaviest[name] === Number.POSITIVE_INFINITY;
  }

  /**
   * The most that a comparison can come to, 0 to 1.
   *
   * @param bits the words of the query that may have a word in the name, and {@link SPLIT_BIT}
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
 * The most that any name without initials comes to that has words for these terms alone.
 *
 * @param bits the terms, a bit each
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
