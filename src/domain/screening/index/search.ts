import { leastShare } from '../names/align.ts';
import { scripts } from '../names/fold.ts';
import { type NameWord, wordsOf } from '../names/words.ts';
import {
  askedName,
  type JoinedTerm,
  NameComparer,
  SHORTEST_SPLIT,
  type Term,
} from './compare-name.ts';
import { hashOfWords, type IndexArrays, pairOf, wordOfPair } from './layout.ts';
import { PairTable } from './pair-table.ts';
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

/** Finds names in an index. It keeps scratch space: one search at a time. */
export class NameSearch {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #scores: Float32Array;
  readonly #marks: Uint32Array;
  readonly #names: number;
  readonly #wholes: PairTable;
  readonly #comparer: NameComparer;
  readonly #touched: Uint32Array;
  #mark = 0;
  #touchedCount = 0;

  constructor(arrays: IndexArrays, vocabulary: Vocabulary) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    const count = arrays.namePerson.length;
    this.#scores = new Float32Array(count);
    this.#marks = new Uint32Array(count);
    this.#touched = new Uint32Array(count);
    this.#names = Math.max(count, LEAST_NAMES);
    this.#wholes = new PairTable(arrays.wholes);
    this.#comparer = new NameComparer(arrays, vocabulary, (word) => this.rarity(word));
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
    const asked = askedName(terms, joined);
    const found: ComparedName[] = [];
    for (const name of new Set([...this.#sameNames(words), ...candidates])) {
      const likeness = this.#comparer.likeness(name, asked);
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
    for (let at = this.#wholes.firstOf(hash); at < wholes.length; at++) {
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
    const { counting, skipped, whole } = plan(usable, own);
    const cut = Math.max(0.2 * whole, whole * (leastShare(least) - 0.02) - skipped);
    let rest = this.#weightOfSplits(words);
    for (const { weight } of counting) rest += weight;
    for (const term of counting) {
      // Names that no word before has led to cannot reach the cut any more.
      const isClosed = rest < cut - ROUNDING;
      if (isClosed && this.#touchedCount * NAME_COST < term.postings) this.#addKnown(term);
      else this.#tally(term.expansion, term.weight);
      rest -= term.weight;
    }
    this.#tallySplit(words);
    return this.#takeBest(cut);
  }

  /** The names that reach the cut, the best of them where they are many; forgets all scores. */
  #takeBest(cut: number): readonly number[] {
    const scores = this.#scores;
    const touched = this.#touched.subarray(0, this.#touchedCount);
    this.#touchedCount = 0;
    const near: number[] = [];
    for (const name of touched) if ((scores[name] as number) >= cut) near.push(name);
    if (near.length > COMPARED_MAX) {
      near.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      near.length = COMPARED_MAX;
    }
    for (const name of touched) scores[name] = 0;
    return near;
  }

  #tally({ words, likenesses }: Expansion, weight: number): void {
    const { postingStart } = this.#arrays;
    this.#mark += 1;
    let counted = 0;
    for (const word of words) {
      this.#addNames(word, weight * (likenesses.get(word) as number));
      const end = postingStart[word + 1] as number;
      counted += end - (postingStart[word] as number);
      if (counted > 2 * POSTINGS_MAX) break;
    }
  }

  /** Adds a word of the query to the names that others have led to: to no other ones. */
  #addKnown({ expansion: { likenesses }, weight }: Term): void {
    const { nameStart, nameWords } = this.#arrays;
    for (let at = 0; at < this.#touchedCount; at++) {
      const name = this.#touched[at] as number;
      let most = 0;
      const end = nameStart[name + 1] as number;
      for (let place = nameStart[name] as number; place < end; place++) {
        const likeness = likenesses.get(nameWords[place] as number);
        if (likeness !== undefined && likeness > most) most = likeness;
      }
      this.#scores[name] = (this.#scores[name] as number) + weight * most;
    }
  }

  /** What {@link #tallySplit} adds to a name at most. */
  #weightOfSplits(words: readonly NameWord[]): number {
    let sum = 0;
    for (const { text, weight } of words) {
      if (text.length < SHORTEST_SPLIT) continue;
      if (this.#vocabulary.splits(text).length > 0) sum += weight;
    }
    return sum;
  }

  // The most alike word of a name comes first: later ones of the same term do not count.
  #addNames(word: number, value: number): void {
    const { postingStart, postings } = this.#arrays;
    const [marks, scores, touched, mark] = [this.#marks, this.#scores, this.#touched, this.#mark];
    let count = this.#touchedCount;
    const end = postingStart[word + 1] as number;
    for (let at = postingStart[word] as number; at < end; at++) {
      const name = postings[at] as number;
      if (marks[name] === mark) continue;
      marks[name] = mark;
      const score = scores[name] as number;
      if (score === 0) touched[count++] = name;
      scores[name] = score + value;
    }
    this.#touchedCount = count;
  }

  /** Words of the query that are two words in the index. */
  #tallySplit(words: readonly NameWord[]): void {
    for (const { text, weight } of words) {
      if (text.length < SHORTEST_SPLIT) continue;
      this.#mark += 1;
      for (const { first, second } of this.#vocabulary.splits(text)) {
        const rarer = this.#count([first]) < this.#count([second]) ? first : second;
        if (this.#count([rarer]) > POSTINGS_OF_SPLIT_MAX) continue;
        this.#addNames(rarer, weight);
      }
    }
  }
}

const SAME_NAMES_MAX = 1000;
const POSTINGS_OF_SPLIT_MAX = 2000;
/** Scores are kept in 32 bits. */
const ROUNDING = 1e-4;
/** Looking at the words of a name costs as much as so many postings. */
const NAME_COST = 4;

/** Words that are counted, the rarest first; frequent ones are left out once names are found. */
function plan(usable: readonly Term[], own: ReadonlySet<Term>) {
  const counting: Term[] = [];
  let [counted, skipped, whole] = [0, 0, 0];
  for (const term of usable) {
    const { weight, postings } = term;
    // An initial, or a word that nothing is alike to, is not what a name is found by.
    if (own.has(term) && postings > 0) whole += weight;
    if (counted > 0 && counted + postings > POSTINGS_MAX) {
      skipped += weight;
      continue;
    }
    counted += postings;
    counting.push(term);
  }
  return { counting, skipped, whole };
}
