import { isTelling } from '../../names/align.ts';
import { ConsonantTarget } from '../../names/consonants.ts';
import { AskedWords, JOINED_BIT, type Term } from '../asked-words.ts';
import { type AskedName, INITIAL } from '../compare-name.ts';
import type { IndexArrays } from '../layout.ts';
import { FACTS, fact, type NameTraits, trait } from '../name-traits.ts';
import { BagBounds } from '../near/bag-bounds.ts';
import { ConsonantBags, consonantBag } from '../near/consonant-bags.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { MaskBounds } from './mask-bounds.ts';
import { readWordsAhead } from './read-ahead.ts';

/** Fraction of the minimum score that suffices for names that are also compared as whole names. */
const WHOLE = 0.5;
/** Number of character codes for initials. */
const CODES = 128;
/** Maximum number of names that are compared word by word. */
const COMPARED_MAX = 250;

/** Selects the names to compare with a query, by bounds on the similarity of their words. */
export class NameFilter {
  readonly #arrays: IndexArrays;
  readonly #weights: Float64Array;
  readonly #traits: NameTraits;
  readonly #bounds = new MaskBounds();
  /** Names already examined, as one bit each and as a list. */
  readonly #seen: Int32Array;
  readonly #taken: Uint32Array;
  #takenCount = 0;
  /** For each name: terms that two of its words may be. */
  readonly #splits: Int32Array;
  readonly #splitNames: number[] = [];
  /** By letter: the initials of the query that match words starting with it. */
  readonly #initials = new Int32Array(CODES);
  #hasInitials = false;
  /** Minimum similarity and minimum score. */
  readonly #limits = new Float64Array(2);
  readonly #names: Uint32Array;
  readonly #scores: Float64Array;
  /** By position in {@link #names}: 1 if it can be similar only as a whole name. */
  readonly #isWhole: Uint8Array;
  readonly #highest = new Float64Array(COMPARED_MAX);
  /** Trait of names that are also compared as whole names. */
  #other = 0;
  #wholeName: AskedName['wholeName'] = () => undefined;
  readonly #bags = new BagBounds();
  /** Whether {@link #bags} are set to the current query. */
  #hasBag = false;
  readonly #consonants: ConsonantBags;
  readonly #asked = new ConsonantTarget();
  #count = 0;
  #terms: AskedName['terms'] = [];
  #joined: AskedName['joined'] = [];
  #words = new AskedWords(0);
  /** The bits of {@link #words}. */
  #bits = this.#words.bits;

  constructor(
    arrays: IndexArrays,
    vocabulary: Vocabulary,
    weights: Float64Array,
    traits: NameTraits,
  ) {
    this.#consonants = new ConsonantBags(arrays, vocabulary, traits.table, FACTS);
    const count = arrays.namePerson.length;
    this.#arrays = arrays;
    this.#weights = weights;
    this.#traits = traits;
    this.#seen = new Int32Array((count >>> 5) + 1);
    this.#taken = new Uint32Array(count);
    this.#splits = new Int32Array(count);
    this.#names = new Uint32Array(count);
    this.#scores = new Float64Array(count);
    this.#isWhole = new Uint8Array(count);
  }

  /** Sets the query. Names with a similarity below `least` or a score below `cut` are rejected. */
  begin(asked: AskedName, words: AskedWords, least: number, cut: number): void {
    this.#terms = asked.terms;
    this.#joined = asked.joined;
    this.#words = words;
    this.#bits = words.bits;
    this.#limits[0] = least;
    this.#limits[1] = cut;
    this.#other = asked.isBare ? trait.full : trait.bare;
    this.#wholeName = asked.wholeName;
    this.#hasBag = false;
    this.#bounds.begin(asked);
    this.#initials.fill(0);
    this.#hasInitials = false;
    for (let at = 0; at < asked.terms.length; at++) {
      const { word } = asked.terms[at] as Term;
      if (!word.isInitial) continue;
      const code = word.text.charCodeAt(0) & (CODES - 1);
      this.#initials[code] = (this.#initials[code] as number) | (1 << at);
      this.#hasInitials = true;
    }
    for (const name of this.#splitNames) this.#splits[name] = 0;
    this.#splitNames.length = 0;
    this.#count = 0;
    for (let at = 0; at < this.#takenCount; at++) {
      this.#seen[(this.#taken[at] as number) >>> 5] = 0;
    }
    this.#takenCount = 0;
  }

  /** Records that two words of a name may be the word of a term. */
  noteSplit(name: number, bit: number): void {
    const before = this.#splits[name] as number;
    if (before === 0) this.#splitNames.push(name);
    this.#splits[name] = before | bit;
  }

  /** Examines the names of {@link noteSplit}. */
  takeSplits(): void {
    for (const name of this.#splitNames) this.take(name);
  }

  /** {@link take Examines} the names of a block, with what `isKnown` states about each. */
  takeAll(names: Int32Array, from: number, count: number, isKnown: Uint8Array): void {
    readWordsAhead(this.#traits.table, names, from, count, this.#arrays.nameWords, this.#bits);
    for (let at = 0; at < count; at++) this.take(names[from + at] as number, isKnown[at] === 1);
  }

  /**
   * Selects a name if it may be similar enough and was not examined before.
   *
   * @param isKnown the name is known not to be too far as a whole name
   */
  take(name: number, isKnown = false): void {
    const place = name >>> 5;
    const own = 1 << (name & 31);
    const seen = this.#seen[place] as number;
    if ((seen & own) !== 0) return;
    this.#seen[place] = seen | own;
    this.#taken[this.#takenCount++] = name;
    const { nameWords } = this.#arrays;
    const { table } = this.#traits;
    const start = table[FACTS * name + fact.start] as number;
    const end = table[FACTS * (name + 1) + fact.start] as number;
    const weights = this.#weights;
    let met = 0;
    let metListed = 0;
    let count = 0;
    let left = 0;
    let against = 0;
    for (let at = start; at < end; at++) {
      const word = nameWords[at] as number;
      const weight = weights[word] as number;
      const bits = this.#bitsOf(word);
      if (bits !== 0) {
        met |= bits;
        metListed += weight;
        count += 1;
        continue;
      }
      left += weight;
      if (isTelling(weight)) against += weight;
    }
    const most = this.#bounds.most(met, metListed, count, left, against);
    const split = this.#splitNames.length === 0 ? 0 : (this.#splits[name] as number);
    const isWhole = this.#traits.has(name, this.#other);
    let isFar = false;
    if (split === 0 && !this.#traits.has(name, trait.initial)) {
      isFar = most < (this.#limits[0] as number);
      if (isFar && !(isWhole && (isKnown || !this.isFarAsWhole(name)))) return;
    }
    const score = this.#score(start, end, met, split);
    if (score < (this.#limits[1] as number) * (isWhole ? WHOLE : 1)) return;
    this.#names[this.#count] = name;
    this.#isWhole[this.#count] = isFar ? 1 : 0;
    // Of names with the same matching words, the one with fewer other words is more similar.
    this.#scores[this.#count] = score * most;
    this.#count += 1;
  }

  /** The terms that may match a word of a name. */
  #bitsOf(word: number): number {
    const bits = this.#bits[word] as number;
    if (!this.#hasInitials) return bits;
    const { letters, wordStart } = this.#arrays;
    const first = letters[wordStart[word] as number] as number;
    return bits | (this.#initials[first & (CODES - 1)] as number);
  }

  /** True for a name that certainly is not similar as a whole name, only by its words if at all. */
  isByWords(name: number): boolean {
    return !this.#traits.has(name, this.#other) || this.isFarAsWhole(name);
  }

  /** Whether the consonants of a name certainly differ too much from those of the query. */
  isFarAsWhole(name: number): boolean {
    if (!this.#hasBag) {
      const bag = consonantBag(this.#wholeName()?.consonants ?? '');
      this.#bags.begin(bag, this.#limits[0] as number);
      this.#hasBag = true;
    }
    return this.#consonants.isFar(name, this.#bags);
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

  /** Similarity of the word of a name that best matches a term, times the weight of the term. */
  #best(term: Term, start: number, end: number, bit: number): number {
    const { nameWords } = this.#arrays;
    let most = 0;
    for (let at = start; at < end; at++) {
      const word = nameWords[at] as number;
      if ((this.#bitsOf(word) & bit) === 0) continue;
      most = Math.max(most, this.#words.likenessOf(word, bit, term) ?? INITIAL);
    }
    return term.weight * most;
  }

  /** The lowest of the {@link COMPARED_MAX} highest scores. */
  #leastOfBest(scores: Float64Array): number {
    const heap = this.#highest;
    heap.set(scores.subarray(0, COMPARED_MAX));
    // A sorted array is a heap.
    heap.sort();
    for (let at = COMPARED_MAX; at < scores.length; at++) {
      const score = scores[at] as number;
      if (score > (heap[0] as number)) sink(heap, score);
    }
    return heap[0] as number;
  }

  /** The selected names; if there are too many, the best of them. */
  best(): readonly number[] {
    const found: number[] = [];
    if (this.#count <= COMPARED_MAX) {
      for (let at = 0; at < this.#count; at++) this.#put(found, at);
      return found;
    }
    const scores = this.#scores.subarray(0, this.#count);
    const least = this.#leastOfBest(scores);
    const equal: number[] = [];
    let higher = 0;
    for (let at = 0; at < scores.length; at++) {
      const score = scores[at] as number;
      if (score > least) {
        higher += 1;
        this.#put(found, at);
      } else if (score === least) equal.push(at);
    }
    const names = this.#names;
    equal.sort((a, b) => (names[a] as number) - (names[b] as number));
    for (const at of equal.slice(0, COMPARED_MAX - higher)) this.#put(found, at);
    return found;
  }

  /** Adds a selected name, unless its consonants in order differ too much. */
  #put(found: number[], at: number): void {
    const name = this.#names[at] as number;
    if (this.#isWhole[at] === 0 || !this.#isFarInOrder(name)) found.push(name);
  }

  #isFarInOrder(name: number): boolean {
    const { table } = this.#traits;
    const consonants = this.#consonants;
    const start = table[FACTS * name + fact.start] as number;
    const count = consonants.readOf(start, table[FACTS * (name + 1) + fact.start] as number);
    this.#asked.begin(this.#wholeName()?.consonants ?? '');
    return this.#asked.isFar(consonants.codes, count, this.#limits[0] as number);
  }
}

/** Replaces the top (minimum) of a heap by `value` and restores the heap order. */
function sink(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && (heap[below + 1] as number) < (heap[below] as number))
      below += 1;
    if ((heap[below] as number) >= value) break;
    heap[at] = heap[below] as number;
    at = below;
  }
  heap[at] = value;
}
