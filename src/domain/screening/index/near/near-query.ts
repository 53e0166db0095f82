import { isTelling, WORDS_MAX } from '../../names/align.ts';
import type { JoinedTerm } from '../asked-words.ts';
import type { AskedName } from '../compare-name.ts';
import { emptyOf } from '../words/expansion.ts';
import { mostOfAny, type QuerySums, SPLIT_BIT } from './name-bounds.ts';
import { type NearTerm, nearFlag } from './near-terms.ts';

/**
 * What of a query is asked before it is compared with any name. One object stands for one query
 * after the other: a hundred thousand are asked of a change.
 */
export class NearQuery implements QuerySums {
  terms: readonly NearTerm[] = [];
  joined: readonly JoinedTerm[] = emptyOf<JoinedTerm>();
  count = 0;
  readonly weights = new Float64Array(WORDS_MAX);
  whole = 0;
  telling = 0;
  /** A word of it is in a script that leaves vowels out or adds some. */
  isBare = false;
  /** It has other words than particles. */
  hasNames = false;
  /** Terms that any name may leave out, a bit each. */
  untold = 0;
  /** It as it is compared, and its consonants: made when a name wants them. */
  asked: AskedName | undefined;
  consonants: string | undefined;
  /** The terms that were last asked of {@link mostOfAny}, and what it has said. */
  #bits = -1;
  #most = 0;

  /** Takes the query. */
  begin(terms: readonly NearTerm[], joined: readonly JoinedTerm[]): void {
    this.terms = terms;
    this.joined = joined;
    this.count = terms.length;
    this.asked = undefined;
    this.consonants = undefined;
    this.#bits = -1;
    let whole = 0;
    let telling = 0;
    let untold = 0;
    let isBare = false;
    let hasNames = false;
    for (let at = 0; at < terms.length; at++) {
      const { flags, term } = terms[at] as NearTerm;
      const { weight } = term;
      this.weights[at] = weight;
      whole += weight;
      if (isTelling(weight)) telling += weight;
      if ((flags & nearFlag.untold) !== 0) untold |= 1 << at;
      if ((flags & nearFlag.particle) === 0) hasNames = true;
      if ((flags & nearFlag.bare) !== 0) isBare = true;
    }
    this.whole = whole;
    this.telling = telling;
    this.untold = untold;
    this.isBare = isBare;
    this.hasNames = hasNames;
  }

  /** False when the term at this place leads only to names that other terms lead to. */
  leads(at: number): boolean {
    // A particle leads to too many names, and to none that another word does not lead to.
    return !this.hasNames || ((this.terms[at] as NearTerm).flags & nearFlag.particle) === 0;
  }

  /** True when names with words for these terms alone cannot reach `least` by their words. */
  isFarByWords(bits: number, least: number): boolean {
    if ((bits & SPLIT_BIT) !== 0) return false;
    if (this.#bits !== bits) {
      this.#bits = bits;
      this.#most = mostOfAny(bits, this);
    }
    return this.#most < least;
  }
}
