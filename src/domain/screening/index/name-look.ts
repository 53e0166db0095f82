import { isTelling } from '../names/align.ts';
import { JOINED_BIT, type Term } from './asked-words.ts';
import type { AskedName } from './compare-name.ts';
import type { IndexArrays } from './layout.ts';
import { MaskBounds } from './mask-bounds.ts';
import { type NameTraits, trait } from './name-traits.ts';

/** Names that are compared word by word. */
const COMPARED_MAX = 250;

/**
 * Looks at names that a query may be alike to, by what their words leave open, and keeps those
 * that are to be compared.
 */
export class NameLook {
  readonly #arrays: IndexArrays;
  readonly #weights: Float64Array;
  readonly #traits: NameTraits;
  readonly #bounds = new MaskBounds();
  readonly #marks: Uint32Array;
  /** By name: terms that two of its words may be. */
  readonly #splits: Int32Array;
  readonly #splitNames: number[] = [];
  /** Least likeness and least score. */
  readonly #limits = new Float64Array(2);
  readonly #names: Uint32Array;
  readonly #scores: Float64Array;
  #mark = 0;
  #open = 0;
  #count = 0;
  #terms: AskedName['terms'] = [];
  #joined: AskedName['joined'] = [];
  #bits: Int32Array = new Int32Array(0);

  constructor(arrays: IndexArrays, weights: Float64Array, traits: NameTraits) {
    const count = arrays.namePerson.length;
    this.#arrays = arrays;
    this.#weights = weights;
    this.#traits = traits;
    this.#marks = new Uint32Array(count);
    this.#splits = new Int32Array(count);
    this.#names = new Uint32Array(count);
    this.#scores = new Float64Array(count);
  }

  /** Takes a query; names below `least` or with a score below `cut` are not kept. */
  begin(asked: AskedName, bits: Int32Array, least: number, cut: number): void {
    this.#terms = asked.terms;
    this.#joined = asked.joined;
    this.#bits = bits;
    this.#limits[0] = least;
    this.#limits[1] = cut;
    this.#open = trait.initial | (asked.isBare ? trait.full : trait.bare);
    this.#bounds.begin(asked);
    for (const name of this.#splitNames) this.#splits[name] = 0;
    this.#splitNames.length = 0;
    this.#count = 0;
    this.#mark += 1;
  }

  /** Notes that two words of a name may be the word of a term. */
  noteSplit(name: number, bit: number): void {
    const before = this.#splits[name] as number;
    if (before === 0) this.#splitNames.push(name);
    this.#splits[name] = before | bit;
  }

  /** Takes the names of {@link noteSplit}. */
  takeSplits(): void {
    for (const name of this.#splitNames) this.take(name);
  }

  /** Keeps a name that may be alike enough, unless it was looked at before. */
  take(name: number): void {
    if (this.#marks[name] === this.#mark) return;
    this.#marks[name] = this.#mark;
    const { nameStart, nameWords } = this.#arrays;
    const start = nameStart[name] as number;
    const end = nameStart[name + 1] as number;
    const bits = this.#bits;
    let met = 0;
    for (let at = start; at < end; at++) met |= bits[nameWords[at] as number] as number;
    const split = this.#splitNames.length === 0 ? 0 : (this.#splits[name] as number);
    const isOpen = split !== 0 || this.#traits.has(name, this.#open);
    if (!isOpen && this.#most(start, end, met) < (this.#limits[0] as number)) return;
    const score = this.#score(start, end, met, split);
    if (score < (this.#limits[1] as number)) return;
    this.#names[this.#count] = name;
    this.#scores[this.#count] = score;
    this.#count += 1;
  }

  #most(start: number, end: number, met: number): number {
    const { nameWords } = this.#arrays;
    const [bits, weights] = [this.#bits, this.#weights];
    let metListed = 0;
    let count = 0;
    let left = 0;
    let against = 0;
    for (let at = start; at < end; at++) {
      const word = nameWords[at] as number;
      const weight = weights[word] as number;
      if (bits[word] !== 0) {
        metListed += weight;
        count += 1;
        continue;
      }
      left += weight;
      if (isTelling(weight)) against += weight;
    }
    return this.#bounds.most(met, metListed, count, left, against);
  }

  #score(start: number, end: number, met: number, split: number): number {
    let score = 0;
    for (let at = 0; at < this.#terms.length; at++) {
      const term = this.#terms[at] as Term;
      const bit = 1 << at;
      if ((met & bit) !== 0 && !term.word.isParticle) score += this.#best(term, start, end, bit);
      if ((split & bit) !== 0) score += term.word.weight;
    }
    for (const { from, term } of this.#joined) {
      const bit = 1 << (JOINED_BIT + from);
      if ((met & bit) !== 0) score += this.#best(term, start, end, bit);
    }
    return score;
  }

  /** Of the words of a name the one that is most alike to a term, times its weight. */
  #best(term: Term, start: number, end: number, bit: number): number {
    const { nameWords } = this.#arrays;
    let most = 0;
    for (let at = start; at < end; at++) {
      const word = nameWords[at] as number;
      if (((this.#bits[word] as number) & bit) === 0) continue;
      most = Math.max(most, term.expansion.likenesses.get(word) as number);
    }
    return term.weight * most;
  }

  /** The names that were kept, the best of them where they are many. */
  best(): readonly number[] {
    const names = Array.from(this.#names.subarray(0, this.#count));
    if (names.length <= COMPARED_MAX) return names;
    const scores = this.#scores;
    const order = [...names.keys()].sort(
      (a, b) =>
        (scores[b] as number) - (scores[a] as number) ||
        (names[a] as number) - (names[b] as number),
    );
    return order.slice(0, COMPARED_MAX).map((at) => names[at] as number);
  }
}
