import type { NameWord } from '../names/words.ts';
import { type Expansion, emptied, emptyOf } from './words/expansion.ts';

/** A word of the query and the similar words of the index. */
export interface Term {
  readonly word: NameWord;
  readonly expansion: Expansion;
  readonly weight: number;
  readonly postings: number;
}

/**
 * Creates a term. All terms are created here so that they have one hidden class: searches and the
 * near search share functions, which otherwise would be deoptimised.
 */
export function termOf(
  word: NameWord,
  expansion: Expansion,
  weight: number,
  postings: number,
): Term {
  return { word, expansion, weight, postings };
}

/** Two adjacent words of the query that are one word in the index. */
export interface JoinedTerm {
  /** Index of the first of them. */
  readonly from: number;
  readonly term: Term;
}

/** Bit of the first {@link JoinedTerm}. The lower bits are those of the terms. */
export const JOINED_BIT = 16;

/**
 * For each word of the index, the terms of the current query that it is similar to, as a bit mask.
 * Most words of the examined names are similar to none, which a single read shows.
 */
export class AskedWords {
  readonly bits: Int32Array;
  /** Similarity of a word to the first term that has it. */
  readonly #likenesses: Float64Array;
  /** Expansions of the words of the previous query. */
  readonly #marked = emptyOf<Expansion>();

  /** @param count number of words in the index */
  constructor(count: number) {
    this.bits = new Int32Array(count);
    this.#likenesses = new Float64Array(count);
  }

  /** Replaces the words of the previous query by those of this one. */
  begin(terms: readonly Term[], joined: readonly JoinedTerm[]): void {
    const marked = this.#marked;
    for (let at = 0; at < marked.length; at++) this.#clear((marked[at] as Expansion).words);
    emptied(marked);
    for (let at = 0; at < terms.length; at++) this.#mark((terms[at] as Term).expansion, 1 << at);
    for (let at = 0; at < joined.length; at++) {
      const { from, term } = joined[at] as JoinedTerm;
      this.#mark(term.expansion, 1 << (JOINED_BIT + from));
    }
  }

  /** Similarity of a word to a term, if any. Most words are similar to a single term. */
  likenessOf(word: number, bit: number, { expansion }: Term): number | undefined {
    if (this.bits[word] === bit) return this.#likenesses[word];
    return expansion.likenessOf(word);
  }

  #mark(expansion: Expansion, bit: number): void {
    this.#marked.push(expansion);
    const { bits } = this;
    const { words, likenesses } = expansion;
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as number;
      const before = bits[word] as number;
      bits[word] = before | bit;
      if (before === 0) this.#likenesses[word] = likenesses[at] as number;
    }
  }

  #clear(words: readonly number[]): void {
    for (let at = 0; at < words.length; at++) this.bits[words[at] as number] = 0;
  }
}
