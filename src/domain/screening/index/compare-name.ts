import {
  alignment,
  alignNames,
  clearJoints,
  noteJoint,
  placelessOf,
  WORDS_MAX,
} from '../names/align.ts';
import { besideLatin, isLatin } from '../names/compare.ts';
import { hasBareWord, type WholeName, wholeLikeness, wholeName } from '../names/consonants.ts';
import { isSyllable, type Script, scripts } from '../names/fold.ts';
import { joinedSyllables } from '../names/korean.ts';
import { JOINED_APART, joinedHan, joinedLikeness, mayBeJoined } from '../names/word-likeness.ts';
import type { NameWord } from '../names/words.ts';
import { AskedWords, JOINED_BIT, type JoinedTerm, type Term } from './asked-words.ts';
import type { IndexArrays } from './layout.ts';
import { SHORTEST_SPLIT, type Vocabulary } from './vocabulary.ts';

/** A query prepared for comparison with many names. */
export interface AskedName {
  readonly terms: readonly Term[];
  readonly joined: readonly JoinedTerm[];
  readonly isChain: boolean;
  /** As in `Alignment`. */
  readonly placeless: number;
  readonly isBare: boolean;
  readonly isSyllabic: boolean;
  readonly isLatin: boolean;
  /** Undefined if there are too few consonants. Computed on demand: most names never need it. */
  readonly wholeName: () => WholeName | undefined;
}

/** Prepares a query from its terms. */
export function askedName(terms: readonly Term[], joined: readonly JoinedTerm[]): AskedName {
  const words = terms.map(({ word }) => word);
  let whole: WholeName | undefined | 'unknown' = 'unknown';
  return {
    terms,
    joined,
    wholeName: () => (whole = whole === 'unknown' ? wholeName(words) : whole),
    isBare: hasBareWord(words),
    isLatin: isLatin(words),
    placeless: placelessOf(words),
    isChain: words.some(({ isSonOf }) => isSonOf),
    isSyllabic: words.some(({ script }) => isSyllable(script)),
  };
}

/** Compares a query with the names of an index. */
export class NameComparer {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  /** Weight of each word of the index. */
  readonly weights: Float64Array;
  readonly #wholeNames = new Map<number, WholeName | undefined>();
  readonly #asked: AskedWords;
  /** For each name: 1 if it is in a non-Latin script and its person also has a Latin name. */
  readonly #besideLatin: Uint8Array;

  /** @param rarity rarity of a word of the index, 0.5 to 1 */
  constructor(arrays: IndexArrays, vocabulary: Vocabulary, rarity: (word: number) => number) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.weights = weightsOf(arrays, vocabulary, rarity);
    this.#asked = new AskedWords(arrays.wordScript.length);
    this.#besideLatin = namesBesideLatin(arrays);
  }

  /** Sets the query to be compared, and returns the words it is similar to. */
  begin({ terms, joined }: AskedName): AskedWords {
    this.#asked.begin(terms, joined);
    return this.#asked;
  }

  /**
   * Similarity of a name to the query of {@link begin}, 0 to 1. Results below `least` are
   * arbitrary.
   *
   * @param isByWords the consonants alone are known to be less similar
   */
  likeness(name: number, asked: AskedName, least: number, isByWords = false): number {
    const alike = this.#compare(name, asked);
    const byWords = this.#isDoubted(name, asked) ? besideLatin(alike) : alike;
    if (isByWords) return byWords;
    return Math.max(byWords, this.consonantLikeness(name, asked, Math.max(least, byWords)));
  }

  /** Similarity of a name by its consonants, if exactly one of the two has no vowels; else 0. */
  consonantLikeness(name: number, query: AskedName, least: number): number {
    if (query.isBare === this.isBare(name)) return 0;
    const asked = query.wholeName();
    const own = asked && this.#wholeName(name);
    if (asked === undefined || own === undefined) return 0;
    const alike = wholeLikeness(asked, own, least);
    return this.#isDoubted(name, query) ? besideLatin(alike) : alike;
  }

  #isDoubted(name: number, { isLatin: isLatinQuery }: AskedName): boolean {
    return isLatinQuery && this.#besideLatin[name] === 1;
  }

  #compare(name: number, asked: AskedName): number {
    const { terms, joined, isChain, placeless, isSyllabic } = asked;
    const { nameStart, nameWords } = this.#arrays;
    const start = nameStart[name] as number;
    const count = Math.min(WORDS_MAX, (nameStart[name + 1] as number) - start);
    clearJoints();
    alignment.queryCount = terms.length;
    alignment.listedCount = count;
    alignment.isChain = isChain;
    alignment.placeless = placeless;
    alignment.isSyllabic =
      isSyllabic ||
      syllabic[this.#arrays.wordScript[nameWords[start] as number] as number] === true;
    for (let at = 0; at < terms.length; at++)
      alignment.queryWeights[at] = (terms[at] as Term).weight;
    for (let at = 0; at < count; at++) {
      const word = nameWords[start + at] as number;
      alignment.listedWeights[at] = this.weights[word] as number;
    }
    for (let at = 0; at < count; at++) {
      const word = nameWords[start + at] as number;
      this.#noteWord(word, at, terms, joined);
      if (at + 1 < count) this.#noteSplit(terms, at, word, nameWords[start + at + 1] as number);
    }
    return alignNames();
  }

  #noteWord(word: number, at: number, terms: readonly Term[], joined: readonly JoinedTerm[]): void {
    const bits = this.#asked.bits[word] as number;
    const isInitial = this.#isInitial(word);
    for (let query = 0; query < terms.length; query++) {
      const term = terms[query] as Term;
      const bit = 1 << query;
      const { word: asked } = term;
      if ((bits & bit) !== 0) {
        noteJoint(query, query, at, at, this.#asked.likenessOf(word, bit, term) as number);
      } else if ((asked.isInitial || isInitial) && this.#beginsAs(word, asked)) {
        noteJoint(query, query, at, at, INITIAL);
      }
    }
    if (bits < 1 << JOINED_BIT) return;
    for (const { from, term } of joined) {
      const likeness = term.expansion.likenessOf(word);
      if (likeness !== undefined) noteJoint(from, from + 1, at, at, likeness);
    }
  }

  /** Whether a name has a word whose script omits vowels or adds unpronounced ones. */
  isBare(name: number): boolean {
    const { nameStart, nameWords, wordScript } = this.#arrays;
    for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
      if (bareScripts[wordScript[nameWords[at] as number] as number] === true) return true;
    }
    return false;
  }

  #wholeName(name: number): WholeName | undefined {
    if (this.#wholeNames.has(name)) return this.#wholeNames.get(name);
    const { nameStart, nameWords } = this.#arrays;
    const numbers = nameWords.subarray(nameStart[name], nameStart[name + 1]);
    const own = wholeName(Array.from(numbers, (word) => this.#vocabulary.word(word)));
    if (this.#wholeNames.size >= REMEMBERED_MAX) this.#wholeNames.clear();
    this.#wholeNames.set(name, own);
    return own;
  }

  #noteSplit(terms: readonly Term[], at: number, first: number, second: number): void {
    const { wordFacts, wordScript } = this.#arrays;
    if (syllabic[wordScript[first] as number] && wordScript[first] === wordScript[second]) {
      this.#noteSyllables(terms, at, first, second);
      return;
    }
    const a = this.#lengthOf(first);
    const b = this.#lengthOf(second);
    if (a < 2 || b < 2) return;
    for (let query = 0; query < terms.length; query++) {
      const { word } = terms[query] as Term;
      const { length } = word.text;
      if (length < SHORTEST_SPLIT - 1 || Math.abs(a + b - length) > JOINED_APART) continue;
      const letters = (wordFacts[3 * first] as number) | (wordFacts[3 * second] as number);
      if (!mayBeJoined(a + b, letters, word)) continue;
      const [before, after] = [this.#vocabulary.text(first), this.#vocabulary.text(second)];
      if (word.text === before || word.text === after) continue;
      const likeness = joinedLikeness(before + after, word.text);
      if (likeness > 0) noteJoint(query, query, at, at + 1, likeness);
    }
  }

  #noteSyllables(terms: readonly Term[], at: number, first: number, second: number): void {
    const [before, after] = [this.#vocabulary.text(first), this.#vocabulary.text(second)];
    const likenessOf = this.#arrays.wordScript[first] === korean ? joinedSyllables : joinedHan;
    for (let query = 0; query < terms.length; query++) {
      const likeness = likenessOf(before, after, (terms[query] as Term).word.text);
      if (likeness > 0) noteJoint(query, query, at, at + 1, likeness);
    }
  }

  #beginsAs(word: number, { text }: NameWord): boolean {
    const { letters, wordStart } = this.#arrays;
    return letters[wordStart[word] as number] === text.charCodeAt(0);
  }

  #isInitial(word: number): boolean {
    return this.#lengthOf(word) <= 1 && syllabic[this.#arrays.wordScript[word] as number] !== true;
  }

  #lengthOf(word: number): number {
    const { wordStart } = this.#arrays;
    return (wordStart[word + 1] as number) - (wordStart[word] as number);
  }
}

const bareNames: readonly Script[] = ['abjad', 'indic', 'hangul', 'kana'];
/** By number of the script: whether it omits vowels or adds unpronounced ones. */
export const bareScripts = scripts.map((name) => bareNames.includes(name));
const syllabic = scripts.map(isSyllable);
const korean = scripts.indexOf('korean');
const LONGEST_PARTICLE = 5;
/** Similarity of an initial to a word that starts with it. */
export const INITIAL = 0.9;
/** Names whose consonants and sounds are cached. */
const REMEMBERED_MAX = 20_000;

function weightsOf(
  { wordStart }: IndexArrays,
  vocabulary: Vocabulary,
  rarity: (word: number) => number,
): Float64Array {
  const weights = new Float64Array(wordStart.length - 1);
  for (let word = 0; word < weights.length; word++) {
    // Only particles and short words weigh less, and there are few of them.
    const isShort =
      (wordStart[word + 1] as number) - (wordStart[word] as number) <= LONGEST_PARTICLE;
    weights[word] = (isShort ? vocabulary.word(word).weight : 1) * rarity(word);
  }
  return weights;
}

function namesBesideLatin({
  nameStart,
  nameWords,
  wordScript,
  personStart,
}: IndexArrays): Uint8Array {
  const beside = new Uint8Array(nameStart.length - 1);
  for (let person = 0; person + 1 < personStart.length; person++) {
    const end = personStart[person + 1] as number;
    let hasLatin = false;
    for (let name = personStart[person] as number; name < end; name++) {
      for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
        if (wordScript[nameWords[at] as number] !== latin) beside[name] = 1;
      }
      if (beside[name] === 0) hasLatin = true;
    }
    if (!hasLatin) beside.fill(0, personStart[person], end);
  }
  return beside;
}

const latin = scripts.indexOf('latin');
