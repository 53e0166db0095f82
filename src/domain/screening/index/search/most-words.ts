import { gainShare, isTelling, mostAlike } from '../../names/align.ts';
import { JOINED_APART } from '../../names/word-likeness.ts';
import type { Term } from '../asked-words.ts';
import type { IndexArrays } from '../layout.ts';
import { FACTS, fact, type NameTraits, trait } from '../name-traits.ts';
import { SHORTEST_SPLIT } from '../vocabulary.ts';
import type { Bounds, Measured } from './term-sums.ts';

/** Minimum weight of a word that is counted. */
const COUNTED = 0.5;
/** Number of sets of terms, as bit masks. */
const SETS = 1 << 8;
const UNKNOWN = 255;

/**
 * Maximum number of words that a name may have, given the terms of the query that led to it: each
 * further word is left over or contradicts. Decides for most names with one byte.
 */
export class MostWords {
  /** {@link NameTraits.table}, with the word count and the adjacent pairs of each name. */
  readonly #table: Int32Array;
  /** Lengths of two joined words that may be a word of the query. */
  #wanted = 0;
  /** By set of terms: the maximum number of words. */
  readonly #most = new Uint8Array(SETS);
  /** The same for names in which no two words are one of the query. */
  readonly #mostOfOne = new Uint8Array(SETS);
  readonly #added: Added[] = [];
  #terms: readonly Term[] = [];
  #always = 0;
  #gained = 0;
  #pairsOfAny = 0;
  #isSyllabic = false;
  #least = 0;

  constructor(arrays: IndexArrays, traits: NameTraits, weights: Float64Array) {
    const { nameStart, nameWords } = arrays;
    this.#table = traits.table;
    putPairs(arrays, this.#table);
    for (let name = 0; name + 1 < nameStart.length; name++) {
      if (traits.has(name, trait.initial | trait.bare)) continue;
      let count = 0;
      for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
        if ((weights[nameWords[at] as number] as number) >= COUNTED) count += 1;
      }
      const place = FACTS * name + fact.counts;
      this.#table[place] = (this.#table[place] as number) | (Math.min(count, UNKNOWN - 1) << 16);
    }
  }

  /**
   * Sets the query.
   *
   * @param always terms that any name may have, as a bit mask
   * @param gained maximum that these add to a name
   * @param pairs maximum number of matches among these that carry weight
   */
  begin(
    terms: readonly Term[],
    always: number,
    gained: number,
    pairs: number,
    { ofWords, isSyllabic }: Pick<Bounds, 'ofWords' | 'isSyllabic'>,
  ): void {
    this.#gained = gained;
    this.#pairsOfAny = pairs;
    this.#isSyllabic = isSyllabic;
    this.#terms = terms;
    this.#always = always;
    this.#least = ofWords;
    this.#added.length = 0;
    this.#most.fill(UNKNOWN);
    this.#mostOfOne.fill(UNKNOWN);
    this.#wanted = 0;
    for (let at = 0; at < terms.length; at++) {
      const { length } = (terms[at] as Term).word.text;
      if (length < SHORTEST_SPLIT - 1) continue;
      for (let sum = length - JOINED_APART; sum <= length + JOINED_APART; sum++) {
        this.#wanted |= bitOf(sum);
      }
    }
  }

  /** Adds the term for the next bit of a set. */
  add(added: Added): void {
    this.#added.push(added);
  }

  /** Only part of a term's names were walked: give up all bounds. */
  giveUp(): void {
    this.#least = 0;
    this.#most.fill(UNKNOWN);
    this.#mostOfOne.fill(UNKNOWN);
  }

  /** Whether two adjacent words of a name may be one word of the query. */
  mayBeTwo(name: number): boolean {
    return ((this.#table[FACTS * name + fact.pairs] as number) & this.#wanted) !== 0;
  }

  /** Number of words of a name that carry weight; 0 if it can be more similar than they show. */
  countOf(name: number): number {
    return ((this.#table[FACTS * name + fact.counts] as number) >>> 16) & 0xff;
  }

  /** Whether a name has too many words for the terms that led to it. */
  isFar(name: number, set: number): boolean {
    const count = this.countOf(name);
    if (count > this.of(set)) return true;
    return count > this.ofOne(set) && !this.mayBeTwo(name);
  }

  /** Maximum number of words of a name to which these terms led. */
  of(set: number): number {
    const known = this.#most[set] as number;
    if (known !== UNKNOWN) return known;
    const made = this.#least === 0 ? UNKNOWN - 1 : this.#made(set, false);
    this.#most[set] = made;
    return made;
  }

  /** The same, also by word similarity, for names in which no two words are one of the query. */
  ofOne(set: number): number {
    const known = this.#mostOfOne[set] as number;
    if (known !== UNKNOWN) return known;
    const made = this.#least === 0 ? UNKNOWN - 1 : this.#made(set, true);
    this.#mostOfOne[set] = made;
    return made;
  }

  #made(set: number, isOfOne: boolean): number {
    let own = this.#always;
    for (let at = 0; at < this.#added.length; at++) {
      if ((set & (1 << at)) !== 0) own |= (this.#added[at] as Added).own;
    }
    let met = 0;
    let missing = 0;
    let telling = 0;
    let pairs = 0;
    for (let at = 0; at < this.#terms.length; at++) {
      const { weight } = this.#terms[at] as Term;
      if ((own & (1 << at)) !== 0) {
        // No word of a list weighs more than 1.
        met += (weight + 1) / 2;
        pairs += 1;
        continue;
      }
      missing += weight;
      if (isTelling(weight)) telling += weight;
    }
    let full = pairs;
    if (isOfOne) {
      met = Math.min(met, this.#gainedBy(set, pairs));
      full = Math.min(pairs, this.#fullPairsOf(set));
    }
    if (met === 0) return 0;
    for (let more = 0; pairs + more < UNKNOWN - 1; more++) {
      const left = COUNTED * more;
      const against = Math.min(left, telling);
      const most = mostAlike(met, missing, left, against, full, isOfOne && this.#isSyllabic);
      if (most < this.#least) return more === 0 ? 0 : pairs + more - 1;
    }
    return UNKNOWN - 1;
  }

  /** Maximum number of matches of a set that carry weight. */
  #fullPairsOf(set: number): number {
    let pairs = this.#pairsOfAny;
    for (let at = 0; at < this.#added.length; at++) {
      if ((set & (1 << at)) !== 0 && isTelling((this.#added[at] as Added).most)) pairs += 1;
    }
    return pairs;
  }

  /** Maximum that the matches of a set add to a name, given the similarity of their words. */
  #gainedBy(set: number, pairs: number): number {
    let gained = this.#gained;
    for (let at = 0; at < this.#added.length; at++) {
      if ((set & (1 << at)) === 0) continue;
      const { most, likeness } = this.#added[at] as Added;
      gained += most * gainShare(likeness, pairs, this.#least);
    }
    return gained;
  }
}

/** A term whose postings are walked. */
type Added = Pick<Measured, 'own' | 'most' | 'likeness'>;

/** Stores the {@link bitOf sums} of the lengths of adjacent words of each name, except initials. */
function putPairs({ nameStart, nameWords, wordStart }: IndexArrays, table: Int32Array): void {
  for (let name = 0; name + 1 < nameStart.length; name++) {
    let before = 0;
    let sums = 0;
    for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
      const word = nameWords[at] as number;
      const length = (wordStart[word + 1] as number) - (wordStart[word] as number);
      if (before > 1 && length > 1) sums |= bitOf(before + length);
      before = length;
    }
    table[FACTS * name + fact.pairs] = sums;
  }
}

function bitOf(sum: number): number {
  return 1 << Math.min(31, sum);
}
