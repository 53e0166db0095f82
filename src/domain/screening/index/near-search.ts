import type { ListedIdentity } from '../listed-person.ts';
import { hasBareWord } from '../names/consonants.ts';
import { type Script, scripts } from '../names/fold.ts';
import { type NameWord, wordsOf } from '../names/words.ts';
import type { JoinedTerm, Term } from './asked-words.ts';
import { buildArrays } from './build.ts';
import { type AskedName, askedName, NameComparer } from './compare-name.ts';
import { type IndexArrays, nameFlag } from './layout.ts';
import { NameBounds, SPLIT_BIT, sumsOf } from './name-bounds.ts';
import { Vocabulary } from './vocabulary.ts';

/** How much words say in the index that is searched in earnest. */
export interface WordRarity {
  /** Of a word of a query, in whatever script: 1 for one that no name has. */
  ofQuery(text: string): number;
  /** Of a word of a listed name. */
  ofListed(text: string, script: Script): number;
}

/** A word of a query, and names of which it may be two words. */
interface NearTerm extends Term {
  readonly splitNames: readonly number[];
}

/** Words that are remembered. */
const REMEMBERED_MAX = 100_000;

/**
 * Asks of many queries, one after the other, whether any of few names is alike. It looks at every
 * name that a search in an index with these and more names might look at, and weighs it as that
 * search would: what is found there is found here.
 */
export class NearSearch {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #comparer: NameComparer;
  readonly #among: WordRarity;
  readonly #terms = new Map<string, NearTerm>();
  readonly #bounds: NameBounds;
  readonly #marks: Uint32Array;
  readonly #bits: Int32Array;
  #mark = 0;

  /** @param among the index with these and all other names */
  constructor(listed: readonly ListedIdentity[], among: WordRarity) {
    const arrays = buildArrays(listed);
    const vocabulary = new Vocabulary(arrays);
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#among = among;
    this.#marks = new Uint32Array(arrays.namePerson.length);
    this.#bits = new Int32Array(arrays.namePerson.length);
    this.#comparer = new NameComparer(arrays, vocabulary, (word) =>
      among.ofListed(vocabulary.text(word), scripts[arrays.wordScript[word] as number] ?? 'latin'),
    );
    this.#bounds = new NameBounds(arrays, (word) => this.#comparer.weights[word] as number);
  }

  /** True when a name is at least so much alike; a weak one at least `leastWeak`. */
  isNear(text: string, least: number, leastWeak: number): boolean {
    const words = wordsOf(text);
    const terms = words.map((word) => this.#term(word));
    const joined = this.#joined(words);
    const names = this.#touched(terms, joined);
    if (names.length === 0) return false;
    let asked: AskedName | undefined;
    const sums = sumsOf(terms);
    const isBareQuery = hasBareWord(words);
    const untold = bitsOf(terms, ({ word }) => word.isParticle || word.isInitial);
    return names.some((name) => {
      const isWeak = ((this.#arrays.nameFlags[name] as number) & nameFlag.weak) !== 0;
      const wanted = isWeak ? leastWeak : least;
      const bits = (this.#bits[name] as number) | untold;
      const isFar = this.#bounds.most(name, bits, sums) < wanted;
      // Names without vowels are compared by their consonants as well.
      if (isFar && !this.#comparer.isBare(name) && !isBareQuery) return false;
      if (asked === undefined) {
        asked = askedName(terms, joined);
        this.#comparer.begin(asked);
      }
      return isFar
        ? this.#comparer.consonantLikeness(name, asked, wanted) >= wanted
        : this.#comparer.likeness(name, asked, wanted) >= wanted;
    });
  }

  #term(word: NameWord): NearTerm {
    const { text, script } = word;
    const key = script === 'latin' ? text : `${script} ${text}`;
    const known = this.#terms.get(key);
    if (known !== undefined) return known;
    const expansion = this.#vocabulary.expand(word);
    const weight = word.weight * this.#among.ofQuery(text);
    const made = { word, expansion, weight, postings: 0, splitNames: this.#splitNames(text) };
    if (this.#terms.size >= REMEMBERED_MAX) this.#terms.clear();
    this.#terms.set(key, made);
    return made;
  }

  #joined(words: readonly NameWord[]): readonly JoinedTerm[] {
    let found = noJoined;
    for (let from = 0; from + 1 < words.length; from++) {
      const [first, word] = [words[from] as NameWord, words[from + 1] as NameWord];
      if (first.text.length < 2 || word.text.length < 2) continue;
      const text = first.text + word.text;
      if (!this.#vocabulary.hasNear(text)) continue;
      const expansion = this.#vocabulary.expandJoined(text);
      if (expansion.words.length === 0) continue;
      found = [...found, { from, term: { word, expansion, weight: 0, postings: 0 } }];
    }
    return found;
  }

  /** Names with two words that `text` is when it is parted. */
  #splitNames(text: string): readonly number[] {
    const splits = this.#vocabulary.splits(text);
    if (splits.length === 0) return noNames;
    return splits.flatMap(({ first, second }) => {
      const others = new Set(this.#namesOf(second));
      return [...this.#namesOf(first)].filter((name) => others.has(name));
    });
  }

  #namesOf(word: number): Uint32Array {
    const { postingStart, postings } = this.#arrays;
    return postings.subarray(postingStart[word], postingStart[word + 1]);
  }

  /** Names that may be alike, with the words of the query by which they may in their bits. */
  #touched(terms: readonly NearTerm[], joined: readonly JoinedTerm[]): readonly number[] {
    const found: number[] = [];
    this.#mark += 1;
    const hasNames = terms.some(({ word }) => !word.isParticle);
    for (let at = 0; at < terms.length; at++) {
      const { word, expansion, splitNames } = terms[at] as NearTerm;
      this.#touch(splitNames, SPLIT_BIT, found);
      // A particle leads to too many names, and to none that another word does not lead to.
      if (hasNames && word.isParticle) continue;
      for (const each of expansion.words) this.#touch(this.#namesOf(each), 1 << at, found);
    }
    for (const { from, term } of joined) {
      for (const each of term.expansion.words) {
        this.#touch(this.#namesOf(each), (1 << from) | (1 << (from + 1)), found);
      }
    }
    return found;
  }

  #touch(names: ArrayLike<number>, bits: number, found: number[]): void {
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as number;
      if (this.#marks[name] === this.#mark) {
        this.#bits[name] = (this.#bits[name] as number) | bits;
        continue;
      }
      this.#marks[name] = this.#mark;
      this.#bits[name] = bits;
      found.push(name);
    }
  }
}

function bitsOf(terms: readonly Term[], isWanted: (term: Term) => boolean): number {
  let bits = 0;
  for (let at = 0; at < terms.length; at++) if (isWanted(terms[at] as Term)) bits |= 1 << at;
  return bits;
}

const noNames: readonly number[] = [];
const noJoined: readonly JoinedTerm[] = [];
