import { isTelling, mostAlike } from '../../names/align.ts';
import { JOINED_BIT, type Term } from '../asked-words.ts';
import type { AskedName } from '../compare-name.ts';

/** Masks cached per query; names have few distinct ones. */
const REMEMBERED = 32;

/**
 * Upper bound of the similarity of a name, given only the terms of the query that have a word in
 * it, as bits like in `AskedWords`: it assumes that these words are equal and that all others
 * contradict each other.
 */
export class MaskBounds {
  readonly #masks = new Int32Array(REMEMBERED);
  readonly #met = new Float64Array(REMEMBERED);
  readonly #missing = new Float64Array(REMEMBERED);
  readonly #telling = new Float64Array(REMEMBERED);
  readonly #pairs = new Float64Array(REMEMBERED);
  #terms: readonly Term[] = [];
  #heaviest = 0;
  #count = 0;

  /** Sets the query. */
  begin({ terms }: AskedName): void {
    this.#terms = terms;
    this.#count = 0;
    this.#heaviest = 0;
    for (let at = 0; at < terms.length; at++) {
      this.#heaviest = Math.max(this.#heaviest, (terms[at] as Term).weight);
    }
  }

  #slotOf(mask: number): number {
    const masks = this.#masks;
    for (let at = 0; at < this.#count; at++) if (masks[at] === mask) return at;
    if (this.#count === REMEMBERED) this.#count = 0;
    const slot = this.#count++;
    masks[slot] = mask;
    this.#fill(slot, mask);
    return slot;
  }

  /**
   * Maximum similarity of a name.
   *
   * @param mask the terms that have a word in it
   * @param met total weight of its words that are similar to a term
   * @param count number of these words
   * @param left total weight of the other words
   * @param against total weight of those other words that can contradict
   */
  most(mask: number, met: number, count: number, left: number, against: number): number {
    const slot = this.#slotOf(mask);
    let ofQuery = this.#met[slot] as number;
    let missing = this.#missing[slot] as number;
    let pairs = this.#pairs[slot] as number;
    // Each word matches only one word of the other name: some terms find theirs already matched.
    if (mask < 1 << JOINED_BIT && count < pairs && count * this.#heaviest < ofQuery) {
      missing += ofQuery - count * this.#heaviest;
      ofQuery = count * this.#heaviest;
      pairs = count;
    }
    const telling = Math.min(against, this.#telling[slot] as number);
    return mostAlike((ofQuery + met) / 2, missing, left, telling, pairs);
  }

  #fill(slot: number, mask: number): void {
    const joined = mask >>> JOINED_BIT;
    const own = mask | joined | (joined << 1);
    let met = 0;
    let missing = 0;
    let telling = 0;
    let pairs = 0;
    for (let at = 0; at < this.#terms.length; at++) {
      const { weight } = this.#terms[at] as Term;
      if ((own & (1 << at)) === 0) {
        missing += weight;
        if (isTelling(weight)) telling += weight;
        continue;
      }
      met += weight;
      pairs += 1;
    }
    this.#met[slot] = met;
    this.#missing[slot] = missing;
    this.#telling[slot] = telling;
    this.#pairs[slot] = pairs;
  }
}
