import {
  gainShare,
  isTelling,
  jointWeight,
  leastOfSyllables,
  leastShare,
} from '../../names/align.ts';
import type { AskedWords, Term } from '../asked-words.ts';
import type { AskedName, NameComparer } from '../compare-name.ts';
import type { IndexArrays } from '../layout.ts';
import { NameTraits } from '../name-traits.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { MostWords } from './most-words.ts';
import { NameFilter } from './name-look.ts';
import { BLOCK, readAhead, readFirstAhead } from './read-ahead.ts';
import {
  type Bounds,
  leadingCount,
  type Measured,
  near as nears,
  TermSums,
  WALKED_MAX,
} from './term-sums.ts';

/** Maximum number of postings walked to find names. The most frequent words are skipped. */
const POSTINGS_MAX = 30_000;
const POSTINGS_OF_SPLIT_MAX = 2000;
/** Cost of examining the words of a name, in postings. */
const NAME_COST = 48;
const ROUNDING = 1e-4;
const OF_TWO = 1 << 31;
/** For names of which it is unknown whether they are similar as whole names. */
const noneKnown = new Uint8Array(BLOCK);

/**
 * Finds the names to compare with a query. Walks the postings of its words, rarest first, and
 * records in one byte per name which words led to it: most names have too few of them and are never
 * examined. Words so frequent that no name can be similar enough by them and the following ones
 * alone lead to no new names, but are recorded for names already found.
 */
export class Candidates {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #comparer: NameComparer;
  readonly #traits: NameTraits;
  readonly #look: NameFilter;
  /** For each name: bits of the terms that led to it. Meaningless until one has. */
  readonly #met: Uint8Array;
  /** Names to which a term has led, one bit each: small enough to stay in the cache. */
  readonly #seen: Int32Array;
  /** Names that may be near, with {@link OF_TWO} if only because two of their words may be one. */
  #near = new Int32Array(1 << 12);
  readonly #isKnown = new Uint8Array(BLOCK);
  #nearCount = 0;
  /** By the bits of a name: {@link nears whether} it is to be examined. */
  readonly #isNear = new Uint8Array(1 << WALKED_MAX);
  readonly #sums = new TermSums();
  readonly #mostWords: MostWords;

  constructor(arrays: IndexArrays, vocabulary: Vocabulary, comparer: NameComparer) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#comparer = comparer;
    this.#traits = new NameTraits(arrays);
    this.#look = new NameFilter(arrays, vocabulary, comparer.weights, this.#traits);
    this.#mostWords = new MostWords(arrays, this.#traits, comparer.weights);
    const count = arrays.namePerson.length;
    this.#met = new Uint8Array(count);
    this.#seen = new Int32Array((count >>> 5) + 1);
  }

  /**
   * Names that may reach the similarity `least` to the query of {@link NameComparer.begin}.
   *
   * @param words result of `begin`
   */
  find(asked: AskedName, words: AskedWords, least: number): readonly number[] {
    const { terms, joined } = asked;
    const ofWords = asked.isSyllabic ? leastOfSyllables(least) : least;
    const named = terms.filter(({ word }) => !word.isParticle);
    // Two words joined to one are a name, even if the second alone is a particle (`Hai Bin`).
    const ofTwo = joined.map(({ term }) => term);
    const usable = [...(named.length > 0 ? named : terms), ...ofTwo].map((term) => {
      return this.#measured(term, ownBits(asked, term), terms.length, ofWords);
    });
    if (named.length > 0) usable.push(...this.#heavyParticles(terms, ofWords));
    usable.sort((a, b) => a.postings - b.postings);
    let whole = 0;
    // Initials, and words without any similar word, find no names.
    for (const { term, score } of usable) {
      if (score > 0 && terms.includes(term)) whole += term.weight;
    }
    const cut = Math.max(0.2, leastShare(least) - 0.02) * whole - ROUNDING;
    this.#look.begin(asked, words, least, cut);
    let rest = this.#lookAtSplits(terms);
    for (const { term, score } of usable) if (score > 0) rest += term.weight;
    let leading = 0;
    for (const { term, score } of usable) {
      if (rest < cut) break;
      if (score > 0) rest -= term.weight;
      leading += 1;
    }
    this.#walk(asked, usable, leading, this.#boundsOf(asked, ofWords, cut));
    for (const { words } of usable.slice(0, leading)) this.#lookAtSpecial(words);
    return this.#look.best();
  }

  /** True for a name that can be similar to the query of {@link find} by its words only. */
  isByWords(name: number): boolean {
    return this.#look.isByWords(name);
  }

  #walk(asked: AskedName, usable: readonly Measured[], leading: number, bounds: Bounds): void {
    const count = leadingCount(usable, leading, bounds);
    const walked: Measured[] = [];
    let postings = 0;
    for (const measured of usable.slice(0, count)) {
      if (walked.length > 0 && postings + measured.postings > POSTINGS_MAX) continue;
      if (walked.length === WALKED_MAX) break;
      postings += measured.postings;
      walked.push(measured);
    }
    const leads = walked.length;
    for (const measured of usable) {
      if (walked.length === WALKED_MAX) break;
      const isCheap = measured.postings < NAME_COST * postings;
      if (isCheap && !walked.includes(measured)) walked.push(measured);
    }
    this.#sums.begin(bounds);
    let always = bounds.untold;
    let [gained, pairs] = [bounds.met, bounds.pairs];
    for (const measured of usable) {
      if (walked.includes(measured)) continue;
      this.#sums.addAlways(measured);
      always |= measured.own;
      if (measured.term.word.isInitial) continue;
      gained += measured.most * measured.share;
      if (isTelling(measured.most)) pairs += 1;
    }
    this.#mostWords.begin(asked.terms, always, gained, pairs, bounds);
    for (let at = 0; at < walked.length; at++) {
      this.#walkTerm(walked[at] as Measured, at, at < leads);
    }
    this.#takeNear(asked.isBare);
  }

  #walkTerm(measured: Measured, at: number, isLeading: boolean): void {
    const { words, likenesses } = measured;
    this.#sums.add(at, measured);
    this.#mostWords.add(measured);
    const { postingStart, postings } = this.#arrays;
    readFirstAhead(postings, postingStart, words);
    let likeness = -1;
    let counted = 0;
    for (let place = 0; place < words.length; place++) {
      const word = words[place] as number;
      const own = likenesses[place] as number;
      // The most similar words come first: this word can only lower what names can reach.
      if (own !== likeness) {
        likeness = own;
        this.#mark(at, measured, own);
      }
      this.#walkWord(word, 1 << at, isLeading);
      counted += this.#count(word);
      if (counted <= 2 * POSTINGS_MAX) continue;
      this.#mostWords.giveUp();
      break;
    }
  }

  /** @param isBare names may also be similar as whole names */
  #takeNear(isBare: boolean): void {
    const { table } = this.#traits;
    const met = this.#met;
    const near = this.#near;
    const words = this.#mostWords;
    const look = this.#look;
    for (let from = 0; from < this.#nearCount; from += BLOCK) {
      const count = Math.min(BLOCK, this.#nearCount - from);
      readAhead(table, near, from, count);
      let taken = 0;
      for (let at = 0; at < count; at++) {
        const noted = near[from + at] as number;
        const name = noted & ~OF_TWO;
        if (noted !== name && !words.mayBeTwo(name)) continue;
        const isFar = words.isFar(name, met[name] as number);
        if (isFar && (!isBare || look.isFarAsWhole(name))) continue;
        near[from + taken] = name;
        this.#isKnown[taken++] = isFar ? 1 : 0;
      }
      look.takeAll(near, from, taken, this.#isKnown);
    }
    this.#seen.fill(0);
    this.#nearCount = 0;
  }

  /** Fills {@link #isNear} for names with a word of the term at `own` and any terms before it. */
  #mark(own: number, measured: Measured, likeness: number): void {
    const sums = this.#sums;
    const bits = 1 << own;
    for (let before = 0; before < bits; before++) {
      this.#isNear[bits | before] = sums.near(before, own, measured, likeness);
    }
  }

  #walkWord(word: number, bit: number, isLeading: boolean): void {
    const { postingStart, postings } = this.#arrays;
    const met = this.#met;
    const isNear = this.#isNear;
    const seen = this.#seen;
    let nearCount = this.#nearCount;
    const end = postingStart[word + 1] as number;
    const near = this.#nearWithRoom(end - (postingStart[word] as number));
    for (let at = postingStart[word] as number; at < end; at++) {
      const name = postings[at] as number;
      const place = name >>> 5;
      const own = 1 << (name & 31);
      let now = bit;
      if (((seen[place] as number) & own) === 0) {
        if (!isLeading) continue;
        seen[place] = (seen[place] as number) | own;
      } else {
        const before = met[name] as number;
        now |= before;
        if (before === now) continue;
        // Already near by these terms.
        if (isNear[before] === nears.yes) {
          met[name] = now;
          continue;
        }
      }
      met[name] = now;
      const isNow = isNear[now] as number;
      if (isNow === nears.no) continue;
      near[nearCount++] = isNow === nears.yes ? name : name | OF_TWO;
    }
    this.#nearCount = nearCount;
  }

  /** {@link #near}, grown to hold `more` further names. */
  #nearWithRoom(more: number): Int32Array {
    const wanted = this.#nearCount + more;
    if (wanted <= this.#near.length) return this.#near;
    const larger = new Int32Array(2 * wanted);
    larger.set(this.#near);
    this.#near = larger;
    return larger;
  }

  #boundsOf({ terms, isBare, isSyllabic }: AskedName, least: number, cut: number): Bounds {
    let [whole, met, pairs, untold] = [0, 0, 0, 0];
    for (const [at, { word, weight, expansion }] of terms.entries()) {
      if (!word.isParticle && !word.isInitial) {
        whole += weight;
        continue;
      }
      untold |= 1 << at;
      const light = expansion.words.filter((each) => !this.#isHeavy(each));
      const most = word.isInitial ? jointWeight(weight, 1) : this.#mostJoint(weight, light);
      met += most;
      if (isTelling(most)) pairs += 1;
    }
    const count = terms.length;
    const ofAny = isBare ? 0 : least;
    return { least: ofAny, ofWords: least, cut, whole, met, pairs, count, isSyllabic, untold };
  }

  #measured(term: Term, own: number, count: number, least: number): Measured {
    const { weight, postings, expansion } = term;
    const { words, likenesses } = expansion;
    const likeness = likenesses[0] ?? 0;
    return {
      term,
      words,
      likenesses,
      postings,
      score: weight * likeness,
      most: this.#mostJoint(weight, words),
      likeness,
      share: gainShare(likeness, count, least),
      own,
    };
  }

  /** Particles may be similar to name words. */
  #heavyParticles(terms: readonly Term[], least: number): readonly Measured[] {
    return terms.flatMap((term, at) => {
      if (!term.word.isParticle) return [];
      const words = term.expansion.words.filter((each) => this.#isHeavy(each));
      if (words.length === 0) return [];
      let postings = 0;
      for (const each of words) postings += this.#count(each);
      const most = this.#mostJoint(term.weight, words);
      const likenesses = words.map((each) => term.expansion.likenessOf(each) as number);
      const likeness = likenesses[0] as number;
      const share = gainShare(likeness, terms.length, least);
      const own = 1 << at;
      return [{ term, words, likenesses, postings, score: 0, most, likeness, share, own }];
    });
  }

  #isHeavy(word: number): boolean {
    return isTelling(this.#comparer.weights[word] as number);
  }

  #mostJoint(weight: number, words: readonly number[]): number {
    const { weights } = this.#comparer;
    let heaviest = 0;
    for (let at = 0; at < words.length; at++) {
      const each = weights[words[at] as number] as number;
      if (each > heaviest) heaviest = each;
    }
    return heaviest === 0 ? 0 : jointWeight(weight, heaviest);
  }

  /** Names with an initial or a word without vowels can be more similar than their words show. */
  #lookAtSpecial(words: readonly number[]): void {
    const { starts, names } = this.#traits.special;
    for (const word of words) {
      const end = starts[word + 1] as number;
      for (let from = starts[word] as number; from < end; from += BLOCK) {
        this.#look.takeAll(names, from, Math.min(BLOCK, end - from), noneKnown);
      }
    }
  }

  /** Examines names that split a word of the query in two. Returns such words' total weight. */
  #lookAtSplits(terms: readonly Term[]): number {
    let weights = 0;
    for (let at = 0; at < terms.length; at++) {
      const { text, weight } = (terms[at] as Term).word;
      const splits = this.#vocabulary.splits(text);
      if (splits.length > 0) weights += weight;
      for (const { first, second } of splits) {
        if (this.#count(first) < this.#count(second)) this.#noteBoth(first, second, 1 << at);
        else this.#noteBoth(second, first, 1 << at);
      }
    }
    this.#look.takeSplits();
    return weights;
  }

  /** Records the names that contain both words. */
  #noteBoth(rarer: number, other: number, bit: number): void {
    const { postingStart, postings } = this.#arrays;
    if (this.#count(rarer) > POSTINGS_OF_SPLIT_MAX) return;
    const end = postingStart[rarer + 1] as number;
    const last = postingStart[other + 1] as number;
    let from = postingStart[other] as number;
    for (let at = postingStart[rarer] as number; at < end && from < last; at++) {
      const name = postings[at] as number;
      from = firstFrom(postings, name, from, last);
      if (from < last && postings[from] === name) this.#look.noteSplit(name, bit);
    }
  }

  #count(word: number): number {
    const { postingStart } = this.#arrays;
    return (postingStart[word + 1] as number) - (postingStart[word] as number);
  }
}

/** The words of a query that a term represents, as a bit mask. */
function ownBits({ terms, joined }: AskedName, term: Term): number {
  const at = terms.indexOf(term);
  if (at >= 0) return 1 << at;
  const from = joined.find((each) => each.term === term)?.from ?? 0;
  return (1 << from) | (1 << (from + 1));
}

/** First position from `from` up to but not including `end` whose number is not below `least`. */
function firstFrom(sorted: Uint32Array, least: number, from: number, end: number): number {
  let step = 1;
  while (from + step < end && (sorted[from + step] as number) < least) step *= 2;
  let low = from + (step >> 1);
  let high = Math.min(end, from + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
