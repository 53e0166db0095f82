import type { ListedIdentity } from '../../listed-person.ts';
import { ConsonantTarget } from '../../names/consonants.ts';
import { scripts } from '../../names/fold.ts';
import { namesOf } from '../../names/words.ts';
import type { JoinedTerm } from '../asked-words.ts';
import { buildArrays } from '../build.ts';
import { type AskedName, askedName, NameComparer } from '../compare-name.ts';
import { type IndexArrays, nameFlag } from '../layout.ts';
import { Vocabulary } from '../vocabulary.ts';
import type { WordRarity } from '../word-rarity.ts';
import { BagBounds } from './bag-bounds.ts';
import { ConsonantBags, consonantBag } from './consonant-bags.ts';
import { mostOfAny, NameBounds, type QuerySums, SPLIT_BIT, sumsOf } from './name-bounds.ts';
import { type NearTerm, NearTerms } from './near-terms.ts';
import { NearTexts } from './near-texts.ts';

/** A query, and what of it is made when a name wants it. */
interface Query extends QuerySums {
  readonly terms: readonly NearTerm[];
  readonly joined: readonly JoinedTerm[];
  readonly isBare: boolean;
  /** Terms that any name may leave out, a bit each. */
  readonly untold: number;
  asked: AskedName | undefined;
  hasBegun: boolean;
  consonants: string | undefined;
  /** The terms that were last asked of {@link mostOfAny}, and what it has said. */
  bits: number;
  most: number;
}

/**
 * Asks of many queries, one after the other, whether any of few names is alike. It looks at every
 * name that a search in an index with these and more names might look at, and weighs it as that
 * search would: what is found there is found here.
 */
export class NearSearch {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #comparer: NameComparer;
  readonly #terms: NearTerms;
  readonly #texts: NearTexts;
  readonly #bounds: NameBounds;
  readonly #bags: ConsonantBags;
  readonly #bagBounds = new BagBounds();
  readonly #consonants = new ConsonantTarget();
  /** The least that any name is to come to. */
  #least = 0;
  /** By name in which way it is alike by more than its words: of {@link special}. */
  readonly #special: Uint8Array;
  readonly #marks: Uint32Array;
  readonly #bits: Int32Array;
  readonly #found: number[] = [];
  #mark = 0;

  /** @param among the index with these and all other names */
  constructor(listed: readonly ListedIdentity[], among: WordRarity) {
    const arrays = buildArrays(listed);
    const vocabulary = new Vocabulary(arrays);
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#marks = new Uint32Array(arrays.namePerson.length);
    this.#bits = new Int32Array(arrays.namePerson.length);
    const comparer = new NameComparer(arrays, vocabulary, (word) =>
      among.ofListed(vocabulary.text(word), scripts[arrays.wordScript[word] as number] ?? 'latin'),
    );
    const bounds = new NameBounds(arrays, (word) => comparer.weights[word] as number);
    const ways = new Uint8Array(arrays.namePerson.length).map(
      (_, name) =>
        (bounds.hasInitial(name) ? special.initial : 0) |
        (comparer.isBare(name) ? special.bare : 0),
    );
    this.#special = ways;
    this.#comparer = comparer;
    this.#bounds = bounds;
    this.#texts = new NearTexts(arrays);
    this.#bags = new ConsonantBags(arrays, vocabulary);
    this.#terms = new NearTerms(
      arrays,
      vocabulary,
      (text) => among.ofQuery(text),
      (name) => ways[name] !== 0,
    );
  }

  /** True when a name is at least so much alike; a weak one at least `leastWeak`. */
  isNear(text: string, least: number, leastWeak: number): boolean {
    this.#least = Math.min(least, leastWeak);
    if (!text.includes(';')) return this.#isNear(text, least, leastWeak);
    return namesOf(text).some((name) => this.#isNear(name, least, leastWeak));
  }

  #isNear(text: string, least: number, leastWeak: number): boolean {
    const terms = this.#terms.ofName(text);
    const joined = this.#joined(terms);
    if (joined.length === 0 && !leadsToNames(terms)) return false;
    const query = queryOf(terms, joined);
    const names = this.#touched(query, this.#least);
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as number;
      const isWeak = ((this.#arrays.nameFlags[name] as number) & nameFlag.weak) !== 0;
      if (this.#isNearTo(name, query, isWeak ? leastWeak : least)) return true;
    }
    return false;
  }

  #isNearTo(name: number, query: Query, least: number): boolean {
    const bits = (this.#bits[name] as number) | query.untold;
    const isFarByWords = this.#isFarByWords(bits, query, least);
    const ways = this.#special[name] as number;
    if (isFarByWords && ways === 0 && !query.isBare) return false;
    // Without an initial a name is no more alike than any.
    const isFar =
      (isFarByWords && (ways & special.initial) === 0) ||
      this.#bounds.most(name, bits, query) < least;
    // Names without vowels are compared by their consonants as well.
    if (isFar && !this.#mayBeWhole(name, query, least)) return false;
    query.asked ??= askedName(query.terms, query.joined);
    if (isFar) return this.#comparer.consonantLikeness(name, query.asked, least) >= least;
    if (!query.hasBegun) this.#comparer.begin(query.asked);
    query.hasBegun = true;
    return this.#comparer.likeness(name, query.asked, least) >= least;
  }

  /** True when no name with words for these terms alone is alike enough by its words. */
  #isFarByWords(bits: number, query: Query, least: number): boolean {
    if ((bits & SPLIT_BIT) !== 0) return false;
    if (query.bits !== bits) {
      query.bits = bits;
      query.most = mostOfAny(bits, query);
    }
    return query.most < least;
  }

  /** False when the consonants of a name and of the query are not alike, for sure. */
  #mayBeWhole(name: number, query: Query, least: number): boolean {
    if (query.isBare === ((this.#special[name] as number) & special.bare) > 0) return false;
    if (query.consonants === undefined) {
      query.consonants = query.terms.reduce((text, term) => text + term.consonants, '');
      this.#bagBounds.begin(consonantBag(query.consonants), this.#least);
    }
    if (this.#bags.isFar(name, this.#bagBounds)) return false;
    this.#consonants.begin(query.consonants);
    return !this.#consonants.isFar(this.#bags.codes, this.#bags.read(name), least);
  }

  /** False for two words that are alike to no word when they are written as one. */
  #mayBeJoined(first: NearTerm, second: NearTerm): boolean {
    // The syllables of Korean names are written in many ways.
    if (first.word.script === 'korean') return true;
    if (!this.#texts.mayBe(first.ends, second.ends)) return false;
    return this.#vocabulary.hasNear(first.word.text + second.word.text);
  }

  #joined(terms: readonly NearTerm[]): readonly JoinedTerm[] {
    let found = noJoined;
    for (let from = 0; from + 1 < terms.length; from++) {
      const first = terms[from] as NearTerm;
      const second = terms[from + 1] as NearTerm;
      if ((first.parts & second.parts) === 0 || !this.#mayBeJoined(first, second)) continue;
      const { word } = second;
      const expansion = this.#vocabulary.expandJoined(first.word, word);
      if (expansion.words.length === 0) continue;
      found = [...found, { from, term: { word, expansion, weight: 0, postings: 0 } }];
    }
    return found;
  }

  /** Names that may be alike, with the words of the query by which they may in their bits. */
  #touched(query: Query, least: number): readonly number[] {
    const { terms, joined } = query;
    this.#found.length = 0;
    this.#mark += 1;
    const hasNames = terms.some(({ word }) => !word.isParticle);
    const isAny = mayBeAny(query, hasNames, least);
    for (let at = 0; at < terms.length; at++) {
      const { word, names, special, splitNames } = terms[at] as NearTerm;
      this.#touch(splitNames, SPLIT_BIT);
      // A particle leads to too many names, and to none that another word does not lead to.
      if (hasNames && word.isParticle) continue;
      this.#touch(isAny ? names : special, 1 << at);
    }
    for (const { from, term } of joined) {
      const bits = (1 << from) | (1 << (from + 1));
      this.#touch(this.#terms.namesWith(term.expansion.words), bits);
    }
    for (let at = 0; at < terms.length; at++) this.#noteTwoWords((terms[at] as NearTerm).twoWords);
    return this.#found;
  }

  #noteTwoWords(names: readonly number[]): void {
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as number;
      if (this.#marks[name] === this.#mark) {
        this.#bits[name] = (this.#bits[name] as number) | SPLIT_BIT;
      }
    }
  }

  #touch(names: readonly number[], bits: number): void {
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as number;
      if (this.#marks[name] === this.#mark) {
        this.#bits[name] = (this.#bits[name] as number) | bits;
        continue;
      }
      this.#marks[name] = this.#mark;
      this.#bits[name] = bits;
      this.#found.push(name);
    }
  }
}

function queryOf(terms: readonly NearTerm[], joined: readonly JoinedTerm[]): Query {
  const { whole, telling } = sumsOf(terms);
  let untold = 0;
  let isBare = false;
  for (let at = 0; at < terms.length; at++) {
    const { word, isBare: isBareWord } = terms[at] as NearTerm;
    if (word.isParticle || word.isInitial) untold |= 1 << at;
    if (isBareWord) isBare = true;
  }
  return {
    terms,
    joined,
    whole,
    telling,
    untold,
    isBare,
    asked: undefined,
    hasBegun: false,
    consonants: undefined,
    bits: -1,
    most: 0,
  };
}

/** False when no name is alike enough by its words but those that are {@link NearTerm.special}. */
function mayBeAny(query: Query, hasNames: boolean, least: number): boolean {
  const { terms, joined, isBare, untold } = query;
  if (isBare) return true;
  let bits = untold;
  for (let at = 0; at < terms.length; at++) {
    const { word, names, splitNames, twoWords } = terms[at] as NearTerm;
    if (splitNames.length > 0 || twoWords.length > 0) return true;
    if (names.length > 0 && !(hasNames && word.isParticle)) bits |= 1 << at;
  }
  for (const { from } of joined) bits |= (1 << from) | (1 << (from + 1));
  return mostOfAny(bits, query) >= least;
}

function leadsToNames(terms: readonly NearTerm[]): boolean {
  for (let at = 0; at < terms.length; at++) if ((terms[at] as NearTerm).leads) return true;
  return false;
}

/** What of a name makes it alike by more than its words. */
const special = {
  /** An initial is alike to any word that begins so. */
  initial: 1,
  /** A word without vowels. */
  bare: 2,
} as const;

const noJoined: readonly JoinedTerm[] = [];
