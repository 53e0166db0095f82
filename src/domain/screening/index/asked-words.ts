import type { NameWord } from '../names/words.ts';
import { type Expansion, emptied, emptyOf } from './words/expansion.ts';

/** A word of the query with what is alike to it. */
export interface Term {
  readonly word: NameWord;
  readonly expansion: Expansion;
  readonly weight: number;
  readonly postings: number;
}

/**
 * A term. All are made here: searches and what looks for customers near a change share functions,
 * which stay compiled as long as what they read has one hidden class.
 */
export function termOf(
  word: NameWord,
  expansion: Expansion,
  weight: number,
  postings: number,
): Term {
  return { word, expansion, weight, postings };
}

/** Two neighbours of the query that are one word in the index. */
export interface JoinedTerm {
  /** The first of them. */
  readonly from: number;
  readonly term: Term;
}

/** Bit of the first {@link JoinedTerm}; those of the terms come before it. */
export const JOINED_BIT = 16;

/**
 * Which terms of the query that is asked have a word of the index among what is alike to them: a
 * bit each. Most words of the names that are looked at have none, which one look tells.
 */
export class AskedWords {
  readonly bits: Int32Array;
  /** How alike a word is to the first term that has it. */
  readonly #likenesses: Float64Array;
  /** What is alike to the words of the query before. */
  readonly #marked = emptyOf<Expansion>();

  /** @param count words of the index */
  constructor(count: number) {
    this.bits = new Int32Array(count);
    this.#likenesses = new Float64Array(count);
  }

  /** Forgets the query before, and takes the words of this one. */
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

  /** How alike a word is to a term; undefined for one that is not. Most are to one term alone. */
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
