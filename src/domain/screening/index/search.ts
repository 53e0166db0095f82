import { alignment, alignNames, clearJoints, noteJoint, WORDS_MAX } from '../names/align.ts';
import { consonantsOf, hasBareWord, wholeLikeness } from '../names/consonants.ts';
import { type Script, scripts } from '../names/fold.ts';
import { joinedLikeness } from '../names/word-likeness.ts';
import { type NameWord, wordsOf } from '../names/words.ts';
import { hashOfWords, type IndexArrays, lowerBound, pairOf, wordOfPair } from './layout.ts';
import type { Expansion, Vocabulary } from './vocabulary.ts';

/** A name of the index that was compared. */
export interface ComparedName {
  readonly name: number;
  /** 0 to 1. */
  readonly likeness: number;
}

/** Entries of posting lists that are counted; the most frequent words are left out. */
const POSTINGS_MAX = 30_000;
/** Names that are compared word by word. */
const COMPARED_MAX = 250;
/** Frequencies mean little in a short list: it counts as one of so many names. */
const LEAST_NAMES = 100_000;
const RARITY_STEP = 0.13;
const LEAST_RARITY = 0.5;

/** A word of the query with what is alike to it. */
interface Term {
  readonly word: NameWord;
  readonly expansion: Expansion;
  readonly weight: number;
  readonly postings: number;
}

/** Two neighbours of the query that are one word in the index. */
interface JoinedTerm {
  /** The first of them. */
  readonly from: number;
  readonly term: Term;
}

/** Finds names in an index. It keeps scratch space: one search at a time. */
export class NameSearch {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #scores: Float32Array;
  readonly #marks: Uint32Array;
  readonly #names: number;
  #mark = 0;
  #touched: number[] = [];

  constructor(arrays: IndexArrays, vocabulary: Vocabulary) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    const count = arrays.namePerson.length;
    this.#scores = new Float32Array(count);
    this.#marks = new Uint32Array(count);
    this.#names = Math.max(count, LEAST_NAMES);
  }

  /** How much a word says: less the more names have it. 0.5 to 1. */
  rarity(word: number): number {
    const { postingStart } = this.#arrays;
    const count = (postingStart[word + 1] as number) - (postingStart[word] as number);
    const often = Math.log10(Math.max(1, (count * LEAST_NAMES) / this.#names));
    return Math.max(LEAST_RARITY, 1 - RARITY_STEP * often);
  }

  /** The names that are most alike to `text`, in no order. */
  find(text: string, leastLikeness: number): readonly ComparedName[] {
    const words = wordsOf(text);
    const terms = words.map((word) => this.#term(word));
    const joined = this.#joinedTerms(words);
    const candidates = this.#candidates(terms, joined, words, leastLikeness);
    const consonants = consonantsOf(words);
    const isBareQuery = hasBareWord(words);
    const found: ComparedName[] = [];
    for (const name of new Set([...this.#sameNames(words), ...candidates])) {
      const byWords = this.#compare(name, terms, joined);
      const likeness =
        consonants !== undefined && isBareQuery !== this.#isBare(name)
          ? Math.max(byWords, this.#compareConsonants(name, consonants))
          : byWords;
      if (likeness >= leastLikeness) found.push({ name, likeness });
    }
    return found;
  }

  /** Names of exactly these words: very frequent words lead to too many names to compare. */
  #sameNames(words: readonly NameWord[]): readonly number[] {
    const { wholes, wordScript } = this.#arrays;
    const numbers = words.map(({ text, script }) =>
      this.#vocabulary.same(text).find((word) => wordScript[word] === scripts.indexOf(script)),
    );
    if (numbers.length === 0 || numbers.includes(undefined)) return [];
    const hash = hashOfWords(numbers as readonly number[]);
    const found: number[] = [];
    const end = pairOf(hash + 1, 0);
    for (let at = lowerBound(wholes, pairOf(hash, 0)); at < wholes.length; at++) {
      const pair = wholes[at] as number;
      if (pair >= end || found.length >= SAME_NAMES_MAX) break;
      found.push(wordOfPair(pair));
    }
    return found;
  }

  #term(word: NameWord): Term {
    const expansion = this.#vocabulary.expand(word);
    const [same] = expansion.words;
    const isSame = same !== undefined && expansion.likenesses.get(same) === 1;
    const weight = word.weight * (isSame ? this.rarity(same) : 1);
    return { word, expansion, weight, postings: this.#count(expansion.words) };
  }

  #count(words: readonly number[]): number {
    const { postingStart } = this.#arrays;
    let count = 0;
    for (const word of words) {
      count += (postingStart[word + 1] as number) - (postingStart[word] as number);
    }
    return count;
  }

  /** Neighbours of the query that are one word in the index. */
  #joinedTerms(words: readonly NameWord[]): readonly JoinedTerm[] {
    return words.slice(1).flatMap((second, from) => {
      const first = words[from] as NameWord;
      if (first.text.length < 2 || second.text.length < 2) return [];
      const expansion = this.#vocabulary.expandJoined(first.text + second.text);
      if (expansion.words.length === 0) return [];
      const weight = first.weight + second.weight;
      const postings = this.#count(expansion.words);
      return [{ from, term: { word: second, expansion, weight, postings } }];
    });
  }

  #candidates(
    terms: readonly Term[],
    joined: readonly JoinedTerm[],
    words: readonly NameWord[],
    least: number,
  ): readonly number[] {
    const own = new Set(terms);
    const order = [...terms, ...joined.map(({ term }) => term)]
      .filter(({ word }) => !word.isParticle)
      .sort((a, b) => a.postings - b.postings);
    const usable = order.length > 0 ? order : terms;
    let counted = 0;
    let skipped = 0;
    let whole = 0;
    for (const term of usable) {
      const { expansion, weight, postings } = term;
      // An initial, or a word that nothing is alike to, is not what a name is found by.
      if (own.has(term) && postings > 0) whole += weight;
      if (counted > 0 && counted + postings > POSTINGS_MAX && this.#touched.length > 0) {
        skipped += weight;
        continue;
      }
      counted += this.#tally(expansion, weight);
    }
    this.#tallySplit(words);
    const touched = this.#touched;
    const scores = this.#scores;
    const cut = Math.max(0.2 * whole, whole * (least - 0.25) - skipped);
    const near = touched.filter((name) => (scores[name] as number) >= cut);
    if (near.length > COMPARED_MAX)
      near.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
    for (const name of touched) scores[name] = 0;
    this.#touched = [];
    return near.slice(0, COMPARED_MAX);
  }

  #tally({ words, likenesses }: Expansion, weight: number): number {
    const { postingStart, postings } = this.#arrays;
    this.#mark += 1;
    let counted = 0;
    for (const word of words) {
      const value = weight * (likenesses.get(word) as number);
      const end = postingStart[word + 1] as number;
      for (let at = postingStart[word] as number; at < end; at++) {
        this.#add(postings[at] as number, value);
      }
      counted += end - (postingStart[word] as number);
      if (counted > 2 * POSTINGS_MAX) break;
    }
    return counted;
  }

  // The most alike word of a name comes first: later ones of the same term do not count.
  #add(name: number, value: number): void {
    if (this.#marks[name] === this.#mark) return;
    this.#marks[name] = this.#mark;
    if (this.#scores[name] === 0) this.#touched.push(name);
    this.#scores[name] = (this.#scores[name] as number) + value;
  }

  /** Words of the query that are two words in the index. */
  #tallySplit(words: readonly NameWord[]): void {
    const { postingStart, postings } = this.#arrays;
    for (const { text, weight } of words) {
      if (text.length < SHORTEST_SPLIT) continue;
      this.#mark += 1;
      for (let at = 2; at <= text.length - 2; at++) {
        const [first] = this.#vocabulary.same(text.slice(0, at));
        if (first === undefined) continue;
        const [second] = this.#vocabulary.same(text.slice(at));
        if (second === undefined) continue;
        const rarer = this.#count([first]) < this.#count([second]) ? first : second;
        if (this.#count([rarer]) > POSTINGS_OF_SPLIT_MAX) continue;
        const end = postingStart[rarer + 1] as number;
        for (let place = postingStart[rarer] as number; place < end; place++) {
          this.#add(postings[place] as number, weight);
        }
      }
    }
  }

  #compare(name: number, terms: readonly Term[], joined: readonly JoinedTerm[]): number {
    const { nameStart, nameWords } = this.#arrays;
    const start = nameStart[name] as number;
    const count = Math.min(WORDS_MAX, (nameStart[name + 1] as number) - start);
    clearJoints();
    alignment.queryCount = terms.length;
    alignment.listedCount = count;
    alignment.isChain = terms.some(({ word }) => word.isSonOf);
    alignment.isSyllabic = this.#arrays.wordScript[nameWords[start] as number] === syllables;
    for (let at = 0; at < terms.length; at++)
      alignment.queryWeights[at] = (terms[at] as Term).weight;
    for (let at = 0; at < count; at++) {
      const word = nameWords[start + at] as number;
      alignment.listedWeights[at] = this.#weightOf(word) * this.rarity(word);
    }
    for (let at = 0; at < count; at++) {
      const word = nameWords[start + at] as number;
      for (let query = 0; query < terms.length; query++) {
        const { expansion, word: asked } = terms[query] as Term;
        const likeness = expansion.likenesses.get(word) ?? this.#initialLikeness(asked, word);
        if (likeness > 0) noteJoint(query, query, at, at, likeness);
      }
      for (const { from, term } of joined) {
        const likeness = term.expansion.likenesses.get(word);
        if (likeness !== undefined) noteJoint(from, from + 1, at, at, likeness);
      }
      if (at + 1 < count) this.#noteSplit(terms, at, word, nameWords[start + at + 1] as number);
    }
    return alignNames();
  }

  #isBare(name: number): boolean {
    const { nameStart, nameWords, wordScript } = this.#arrays;
    for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
      if (bareScripts.has(wordScript[nameWords[at] as number] as number)) return true;
    }
    return false;
  }

  #compareConsonants(name: number, consonants: string): number {
    const { nameStart, nameWords } = this.#arrays;
    const numbers = nameWords.subarray(nameStart[name], nameStart[name + 1]);
    const own = consonantsOf(Array.from(numbers, (word) => this.#vocabulary.word(word)));
    return own === undefined ? 0 : wholeLikeness(consonants, own);
  }

  #noteSplit(terms: readonly Term[], at: number, first: number, second: number): void {
    const [a, b] = [this.#lengthOf(first), this.#lengthOf(second)];
    if (a < 2 || b < 2) return;
    for (let query = 0; query < terms.length; query++) {
      const { text } = (terms[query] as Term).word;
      if (text.length < SHORTEST_SPLIT - 1 || Math.abs(a + b - text.length) > 1) continue;
      if (this.#arrays.letters[this.#arrays.wordStart[first] as number] !== text.charCodeAt(0))
        continue;
      const likeness = joinedLikeness(
        this.#vocabulary.text(first) + this.#vocabulary.text(second),
        text,
      );
      if (likeness > 0) noteJoint(query, query, at, at + 1, likeness);
    }
  }

  #initialLikeness({ text, isInitial }: NameWord, word: number): number {
    const { letters, wordStart } = this.#arrays;
    const length = this.#lengthOf(word);
    if (!isInitial && length > 1) return 0;
    return letters[wordStart[word] as number] === text.charCodeAt(0) ? 0.9 : 0;
  }

  #lengthOf(word: number): number {
    const { wordStart } = this.#arrays;
    return (wordStart[word + 1] as number) - (wordStart[word] as number);
  }

  readonly #weights = new Map<number, number>();

  // Only short words and particles weigh less; there are few of them.
  #weightOf(word: number): number {
    if (this.#lengthOf(word) > LONGEST_PARTICLE) return 1;
    let weight = this.#weights.get(word);
    if (weight === undefined) {
      weight = this.#vocabulary.word(word).weight;
      this.#weights.set(word, weight);
    }
    return weight;
  }
}

const bareScripts = new Set(
  ['abjad', 'indic', 'hangul', 'kana'].map((name) => scripts.indexOf(name as Script)),
);
const syllables = scripts.indexOf('han');
const SAME_NAMES_MAX = 1000;
const SHORTEST_SPLIT = 5;
const POSTINGS_OF_SPLIT_MAX = 2000;
const LONGEST_PARTICLE = 5;
