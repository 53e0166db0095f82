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

/** Of what the words of a name come to, so much is enough where whole names are compared. */
const WHOLE = 0.5;
/** Letters that initials are. */
const CODES = 128;
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
  /** Names that were looked at, a bit each, and one after the other. */
  readonly #seen: Int32Array;
  readonly #taken: Uint32Array;
  #takenCount = 0;
  /** By name: terms that two of its words may be. */
  readonly #splits: Int32Array;
  readonly #splitNames: number[] = [];
  /** By letter: the initials of the query that stand for a word that begins so. */
  readonly #initials = new Int32Array(CODES);
  #hasInitials = false;
  /** Least likeness and least score. */
  readonly #limits = new Float64Array(2);
  readonly #names: Uint32Array;
  readonly #scores: Float64Array;
  /** By place in {@link #names}: 1 for one that is alike as a whole name, or not at all. */
  readonly #isWhole: Uint8Array;
  readonly #highest = new Float64Array(COMPARED_MAX);
  /** Names that are compared as wholes besides. */
  #other = 0;
  #wholeName: AskedName['wholeName'] = () => undefined;
  readonly #bags = new BagBounds();
  /** True when {@link #bags} have the query. */
  #hasBag = false;
  readonly #consonants: ConsonantBags;
  readonly #asked = new ConsonantTarget();
  #count = 0;
  #terms: AskedName['terms'] = [];
  #joined: AskedName['joined'] = [];
  #words = new AskedWords(0);
  /** Those of {@link #words}. */
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

  /** Takes a query; names below `least` or with a score below `cut` are not kept. */
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

  /** {@link take Takes} the names of a block; what is known of each stands in `isKnown`. */
  takeAll(names: Int32Array, from: number, count: number, isKnown: Uint8Array): void {
    readWordsAhead(this.#traits.table, names, from, count, this.#arrays.nameWords, this.#bits);
    for (let at = 0; at < count; at++) this.take(names[from + at] as number, isKnown[at] === 1);
  }

  /**
   * Keeps a name that may be alike enough, unless it was looked at before.
   *
   * @param isKnown as a whole name it is known not to be far
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
    // Of names with the same words the one that has fewer others is more alike.
    this.#scores[this.#count] = score * most;
    this.#count += 1;
  }

  /** The terms that may be a word of a name. */
  #bitsOf(word: number): number {
    const bits = this.#bits[word] as number;
    if (!this.#hasInitials) return bits;
    const { letters, wordStart } = this.#arrays;
    const first = letters[wordStart[word] as number] as number;
    return bits | (this.#initials[first & (CODES - 1)] as number);
  }

  /** True for a name that may be alike by its words, and is not as a whole, for sure. */
  isByWords(name: number): boolean {
    return !this.#traits.has(name, this.#other) || this.isFarAsWhole(name);
  }

  /** True for a name whose consonants are not those of the query, for sure. */
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

  /** Of the words of a name the one that is most alike to a term, times its weight. */
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

  /** The least of the {@link COMPARED_MAX} highest scores. */
  #leastOfBest(scores: Float64Array): number {
    const heap = this.#highest;
    heap.set(scores.subarray(0, COMPARED_MAX));
    // What is sorted is a heap.
    heap.sort();
    for (let at = COMPARED_MAX; at < scores.length; at++) {
      const score = scores[at] as number;
      if (score > (heap[0] as number)) sink(heap, score);
    }
    return heap[0] as number;
  }

  /** The names that were kept, the best of them where they are many. */
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

  /** Adds a name that was kept, unless its consonants in their order are others. */
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

/** Lets `value` fall from the top of a heap, whose least number is at its top, to its place. */
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
