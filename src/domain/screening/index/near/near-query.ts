import { isTelling, WORDS_MAX } from '../../names/align.ts';
import type { JoinedTerm } from '../asked-words.ts';
import type { AskedName } from '../compare-name.ts';
import { emptyOf } from '../words/expansion.ts';
import { mostOfAny, type QuerySums, SPLIT_BIT } from './name-bounds.ts';
import { type NearTerm, nearFlag } from './near-terms.ts';

/**
 * Properties of a query that are needed before it is compared with any name. The object is reused:
 * a single change of a list runs a hundred thousand queries.
 */
export class NearQuery implements QuerySums {
  terms: readonly NearTerm[] = [];
  joined: readonly JoinedTerm[] = emptyOf<JoinedTerm>();
  count = 0;
  readonly weights = new Float64Array(WORDS_MAX);
  whole = 0;
  telling = 0;
  /** A word is in a script that omits vowels or adds unpronounced ones. */
  isBare = false;
  /** It has words other than particles. */
  hasNames = false;
  /** Terms that any name may omit, as a bit mask. */
  untold = 0;
  /** The query prepared for comparison, and its consonants; computed on demand. */
  asked: AskedName | undefined;
  consonants: string | undefined;
  /** Last arguments and result of {@link mostOfAny}. */
  #bits = -1;
  #most = 0;

  /** Sets the query. */
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

  /** False if every name of this term is also found by other terms. */
  leads(at: number): boolean {
    // A particle occurs in too many names, and each of these is found by another word.
    return !this.hasNames || ((this.terms[at] as NearTerm).flags & nearFlag.particle) === 0;
  }

  /** True if the words of names that match only these terms cannot reach `least`. */
  isFarByWords(bits: number, least: number): boolean {
    if ((bits & SPLIT_BIT) !== 0) return false;
    if (this.#bits !== bits) {
      this.#bits = bits;
      this.#most = mostOfAny(bits, this);
    }
    return this.#most < least;
  }
}
