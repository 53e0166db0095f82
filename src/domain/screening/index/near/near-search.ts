import type { ListedIdentity } from '../../listed-person.ts';
import { ConsonantTarget } from '../../names/consonants.ts';
import { scripts } from '../../names/fold.ts';
import { namesOf } from '../../names/words.ts';
import { type JoinedTerm, type Term, termOf } from '../asked-words.ts';
import { buildArrays } from '../build.ts';
import { type AskedName, askedName, NameComparer } from '../compare-name.ts';
import { type IndexArrays, nameFlag } from '../layout.ts';
import { Vocabulary } from '../vocabulary.ts';
import type { WordRarity } from '../word-rarity.ts';
import { emptied, emptyOf } from '../words/expansion.ts';
import { BagBounds } from './bag-bounds.ts';
import { ConsonantBags, consonantBag } from './consonant-bags.ts';
import { mostOfAny, NameBounds, SPLIT_BIT } from './name-bounds.ts';
import { NearQuery } from './near-query.ts';
import { ENDS, type NearTerm, NearTerms, nearFlag } from './near-terms.ts';

/**
 * Tests, for many queries in turn, whether any of a few names is similar. It examines every name
 * that a search in an index with these and more names might examine, and rates it as that search
 * would: a match found there is found here.
 */
export class NearSearch {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #comparer: NameComparer;
  readonly #terms: NearTerms;
  readonly #query = new NearQuery();
  readonly #bounds: NameBounds;
  readonly #bags: ConsonantBags;
  readonly #bagBounds = new BagBounds();
  readonly #consonants = new ConsonantTarget();
  /** Minimum similarity of any name. */
  #least = 0;
  /** For each name: bits of {@link special}. */
  readonly #special: Uint8Array;
  readonly #marks: Uint32Array;
  readonly #bits: Int32Array;
  readonly #found: Uint32Array;
  #foundCount = 0;
  #mark = 0;
  /** Reused, so that most queries allocate nothing. */
  readonly #joinedTerms = emptyOf<JoinedTerm>();
  readonly #askedTerms = emptyOf<Term>();

  /** @param among the index with these and all other names */
  constructor(listed: readonly ListedIdentity[], among: WordRarity) {
    const arrays = buildArrays(listed);
    const vocabulary = new Vocabulary(arrays);
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#marks = new Uint32Array(arrays.namePerson.length);
    this.#found = new Uint32Array(arrays.namePerson.length);
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
    this.#bags = new ConsonantBags(arrays, vocabulary);
    this.#terms = new NearTerms(
      arrays,
      vocabulary,
      (text) => among.ofQuery(text),
      (name) => ways[name] !== 0,
    );
  }

  /** Whether any name reaches the similarity `least`; weak aliases must reach `leastWeak`. */
  isNear(text: string, least: number, leastWeak: number): boolean {
    this.#least = Math.min(least, leastWeak);
    if (!text.includes(';')) return this.#isNear(text, least, leastWeak);
    return namesOf(text).some((name) => this.#isNear(name, least, leastWeak));
  }

  #isNear(text: string, least: number, leastWeak: number): boolean {
    const terms = this.#terms.ofName(text);
    const joined = this.#joined(terms);
    if (joined.length === 0 && !leadsToNames(terms)) return false;
    const query = this.#query;
    query.begin(terms, joined);
    this.#touchAll(query, this.#least);
    for (let at = 0; at < this.#foundCount; at++) {
      const name = this.#found[at] as number;
      const isWeak = ((this.#arrays.nameFlags[name] as number) & nameFlag.weak) !== 0;
      if (this.#isNearTo(name, query, isWeak ? leastWeak : least)) return true;
    }
    return false;
  }

  #isNearTo(name: number, query: NearQuery, least: number): boolean {
    const bits = (this.#bits[name] as number) | query.untold;
    const isFarByWords = query.isFarByWords(bits, least);
    const ways = this.#special[name] as number;
    if (isFarByWords && ways === 0 && !query.isBare) return false;
    // Without initials, the bound by words applies.
    const isFar =
      (isFarByWords && (ways & special.initial) === 0) ||
      this.#bounds.most(name, bits, query) < least;
    // Names without vowels are also compared by their consonants.
    if (isFar && !this.#mayBeWhole(name, query, least)) return false;
    const asked = query.asked ?? this.#begin(query);
    return isFar
      ? this.#comparer.consonantLikeness(name, asked, least) >= least
      : this.#comparer.likeness(name, asked, least) >= least;
  }

  #begin(query: NearQuery): AskedName {
    const terms = this.#askedTerms;
    const { count } = query;
    for (let at = 0; at < count; at++) terms[at] = (query.terms[at] as NearTerm).term;
    while (terms.length > count) terms.pop();
    const asked = askedName(terms, query.joined);
    query.asked = asked;
    this.#comparer.begin(asked);
    return asked;
  }

  /** False if the consonants of the name and of the query certainly differ too much. */
  #mayBeWhole(name: number, query: NearQuery, least: number): boolean {
    if (query.isBare === ((this.#special[name] as number) & special.bare) > 0) return false;
    if (query.consonants === undefined) {
      query.consonants = consonantsOfTerms(query.terms);
      this.#bagBounds.begin(consonantBag(query.consonants), this.#least);
    }
    if (this.#bags.isFar(name, this.#bagBounds)) return false;
    this.#consonants.begin(query.consonants);
    return !this.#consonants.isFar(this.#bags.codes, this.#bags.read(name), least);
  }

  /** Adjacent words that are one word in a name. A bit test rejects most pairs. */
  #joined(terms: readonly NearTerm[]): readonly JoinedTerm[] {
    const found = emptied(this.#joinedTerms);
    for (let from = 0; from + 1 < terms.length; from++) {
      const first = terms[from] as NearTerm;
      const second = terms[from + 1] as NearTerm;
      const ways = first.flags & (second.flags >> ENDS) & JOINS;
      if (ways === 0) continue;
      const { word } = second.term;
      const { word: before } = first.term;
      // Syllables of Korean names have many spellings.
      if (
        (ways & nearFlag.koreanBegins) === 0 &&
        !this.#vocabulary.hasNear(before.text + word.text)
      ) {
        continue;
      }
      const expansion = this.#vocabulary.expandJoined(before, word);
      if (expansion.words.length === 0) continue;
      found.push({ from, term: termOf(word, expansion, 0, 0) });
    }
    return found;
  }

  /** Finds the names that may be similar. The bits of each show which words of the query match. */
  #touchAll(query: NearQuery, least: number): void {
    const { terms, joined } = query;
    this.#foundCount = 0;
    this.#mark += 1;
    const isAny = mayBeAny(query, least);
    for (let at = 0; at < terms.length; at++) {
      const { names, special, splitNames } = terms[at] as NearTerm;
      this.#touch(splitNames, SPLIT_BIT);
      if (query.leads(at)) this.#touch(isAny ? names : special, 1 << at);
    }
    for (let at = 0; at < joined.length; at++) {
      const { from, term } = joined[at] as JoinedTerm;
      const bits = 3 << from;
      this.#touch(this.#terms.namesWith(term.expansion.words), bits);
    }
    for (let at = 0; at < terms.length; at++) this.#noteTwoWords((terms[at] as NearTerm).twoWords);
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
      this.#found[this.#foundCount++] = name;
    }
  }
}

/** False if, by their words, only {@link NearTerm.special special} names can be similar enough. */
function mayBeAny(query: NearQuery, least: number): boolean {
  const { terms, joined, isBare, untold } = query;
  if (isBare) return true;
  let bits = untold;
  for (let at = 0; at < terms.length; at++) {
    const { names, splitNames, twoWords } = terms[at] as NearTerm;
    if (splitNames.length > 0 || twoWords.length > 0) return true;
    if (names.length > 0 && query.leads(at)) bits |= 1 << at;
  }
  for (let at = 0; at < joined.length; at++) bits |= 3 << (joined[at] as JoinedTerm).from;
  return mostOfAny(bits, query) >= least;
}

function consonantsOfTerms(terms: readonly NearTerm[]): string {
  let text = '';
  for (let at = 0; at < terms.length; at++) text += (terms[at] as NearTerm).consonants;
  return text;
}

function leadsToNames(terms: readonly NearTerm[]): boolean {
  for (let at = 0; at < terms.length; at++) {
    if (((terms[at] as NearTerm).flags & nearFlag.leads) !== 0) return true;
  }
  return false;
}

/** Properties by which a name can be more similar than its words show. */
const special = {
  /** An initial matches any word that starts with it. */
  initial: 1,
  /** A word without vowels. */
  bare: 2,
} as const;

const JOINS = nearFlag.begins | nearFlag.koreanBegins;
