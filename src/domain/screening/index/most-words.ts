import { isTelling, mostAlike } from '../names/align.ts';
import type { Term } from './asked-words.ts';
import type { IndexArrays } from './layout.ts';
import { type NameTraits, trait } from './name-traits.ts';

/** What each word that is counted weighs at least. */
const COUNTED = 0.5;
/** Sets of terms: a bit each. */
const SETS = 1 << 8;
const UNKNOWN = 255;

/**
 * How many words a name may have of which it is known which terms of the query led to it: each
 * word more than these is left out or contradicts. It tells most names apart by one byte.
 */
export class MostWords {
  /** By name: words that weigh something; 0 where it is alike by more than its words. */
  readonly counts: Uint8Array;
  /** By set of terms: the most words. */
  readonly #most = new Uint8Array(SETS);
  readonly #added: number[] = [];
  #terms: readonly Term[] = [];
  #always = 0;
  #least = 0;

  constructor({ nameStart, nameWords }: IndexArrays, traits: NameTraits, weights: Float64Array) {
    this.counts = new Uint8Array(nameStart.length - 1);
    for (let name = 0; name < this.counts.length; name++) {
      if (traits.has(name, trait.initial | trait.bare)) continue;
      let count = 0;
      for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
        if ((weights[nameWords[at] as number] as number) >= COUNTED) count += 1;
      }
      this.counts[name] = Math.min(count, UNKNOWN - 1);
    }
  }

  /**
   * Takes a query.
   *
   * @param always terms that any name may have, a bit each
   * @param least what a name is to come to; 0 where words do not tell
   */
  begin(terms: readonly Term[], always: number, least: number): void {
    this.#terms = terms;
    this.#always = always;
    this.#least = least;
    this.#added.length = 0;
    this.#most.fill(UNKNOWN);
  }

  /** Takes what the next bit of a set stands for: terms, a bit each. */
  add(terms: number): void {
    this.#added.push(terms);
  }

  /** A term has led to no more than a part of its names: nothing is known. */
  giveUp(): void {
    this.#least = 0;
    this.#most.fill(UNKNOWN);
  }

  /** The most words of a name that these terms led to. */
  of(set: number): number {
    const known = this.#most[set] as number;
    if (known !== UNKNOWN) return known;
    const made = this.#least === 0 ? UNKNOWN - 1 : this.#made(set);
    this.#most[set] = made;
    return made;
  }

  #made(set: number): number {
    let own = this.#always;
    for (let at = 0; at < this.#added.length; at++) {
      if ((set & (1 << at)) !== 0) own |= this.#added[at] as number;
    }
    let [met, missing, telling, pairs] = [0, 0, 0, 0];
    for (let at = 0; at < this.#terms.length; at++) {
      const { weight } = this.#terms[at] as Term;
      if ((own & (1 << at)) !== 0) {
        met += weight;
        pairs += 1;
        continue;
      }
      missing += weight;
      if (isTelling(weight)) telling += weight;
    }
    // No word of a list weighs more than 1.
    met = (met + pairs) / 2;
    for (let more = 0; pairs + more < UNKNOWN - 1; more++) {
      const left = COUNTED * more;
      const most = mostAlike(met, missing, left, Math.min(left, telling), pairs);
      if (most < this.#least) return more === 0 ? 0 : pairs + more - 1;
    }
    return UNKNOWN - 1;
  }
}
