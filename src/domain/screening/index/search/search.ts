import { scripts } from '../../names/fold.ts';
import { mayBeParts } from '../../names/word-likeness.ts';
import { type NameWord, namesOf, wordsOf } from '../../names/words.ts';
import { type JoinedTerm, type Term, termOf } from '../asked-words.ts';
import { askedName, NameComparer } from '../compare-name.ts';
import { hashOfWords, type IndexArrays, pairOf, wordOfPair } from '../layout.ts';
import { PairTable } from '../pair-table.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { rarityIn } from '../word-rarity.ts';
import { emptyOf } from '../words/expansion.ts';
import { Candidates } from './candidates.ts';

/** A name of the index and its similarity to the query. */
export interface ComparedName {
  readonly name: number;
  /** 0 to 1. */
  readonly likeness: number;
}

/** Finds names in an index. Uses scratch memory: only one search at a time. */
export class NameSearch {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #wholes: PairTable;
  readonly #comparer: NameComparer;
  readonly #candidates: Candidates;

  constructor(arrays: IndexArrays, vocabulary: Vocabulary) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#wholes = new PairTable(arrays.wholes);
    this.#comparer = new NameComparer(arrays, vocabulary, (word) => rarityIn(arrays, word));
    this.#candidates = new Candidates(arrays, vocabulary, this.#comparer);
  }

  /** The names most similar to `text`, unordered. */
  find(text: string, leastLikeness: number): readonly ComparedName[] {
    const [first = text, ...others] = namesOf(text);
    const found = this.#findOne(first, leastLikeness);
    if (others.length === 0) return found;
    const best = new Map<number, ComparedName>();
    for (const each of [
      found,
      ...others.map((name) => this.#findOne(name, leastLikeness)),
    ].flat()) {
      if (each.likeness > (best.get(each.name)?.likeness ?? 0)) best.set(each.name, each);
    }
    return [...best.values()];
  }

  #findOne(text: string, leastLikeness: number): readonly ComparedName[] {
    const words = wordsOfQuery(text);
    const terms = emptyOf<Term>();
    for (const word of words) terms.push(this.#term(word));
    const joined = this.#joinedTerms(words);
    const asked = askedName(terms, joined);
    const candidates = this.#candidates.find(asked, this.#comparer.begin(asked), leastLikeness);
    const found: ComparedName[] = [];
    const same = this.#sameNames(words);
    for (const name of same.length === 0 ? candidates : new Set([...same, ...candidates])) {
      const isByWords = this.#candidates.isByWords(name);
      const likeness = this.#comparer.likeness(name, asked, leastLikeness, isByWords);
      if (likeness >= leastLikeness) found.push({ name, likeness });
    }
    return found;
  }

  /** Names with exactly these words: very frequent words find too many names to compare. */
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
    const isSame = same !== undefined && expansion.likenesses[0] === 1;
    const weight = word.weight * (isSame ? rarityIn(this.#arrays, same) : 1);
    return termOf(word, expansion, weight, this.#count(expansion.words));
  }

  #count(words: readonly number[]): number {
    const { postingStart } = this.#arrays;
    let count = 0;
    for (const word of words) {
      count += (postingStart[word + 1] as number) - (postingStart[word] as number);
    }
    return count;
  }

  /** Adjacent words of the query that are one word in the index. */
  #joinedTerms(words: readonly NameWord[]): readonly JoinedTerm[] {
    const found = emptyOf<JoinedTerm>();
    for (let from = 0; from + 1 < words.length; from++) {
      const first = words[from] as NameWord;
      const second = words[from + 1] as NameWord;
      if (!mayBeParts(first, second)) continue;
      const expansion = this.#vocabulary.expandJoined(first, second);
      if (expansion.words.length === 0) continue;
      const weight = first.weight + second.weight;
      const postings = this.#count(expansion.words);
      found.push({ from, term: termOf(second, expansion, weight, postings) });
    }
    return found;
  }
}

const SAME_NAMES_MAX = 1000;

const asked: { text: string; words: readonly NameWord[] } = { text: '', words: [] };

/** The words of a text. The last result is cached, because every list is searched for it. */
function wordsOfQuery(text: string): readonly NameWord[] {
  if (asked.text !== text) {
    asked.words = wordsOf(text);
    asked.text = text;
  }
  return asked.words;
}
