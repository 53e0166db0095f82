import { hashOfPart, hashWithout, type IndexArrays, pairOf } from '../layout.ts';
import { PairTable } from '../pair-table.ts';

/** The words of an index, by their letters. */
export class SpellingTable {
  readonly #arrays: IndexArrays;
  readonly #places: PairTable;

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
    this.#places = new PairTable(arrays.spellings);
  }

  /** Position of the first pair of {@link IndexArrays.spellings} that is not below a hash. */
  firstOf(hash: number): number {
    return this.#places.firstOf(hash);
  }

  /** The words with exactly these letters, or with those from `from` to before `to`. */
  same(text: string, from = 0, to = text.length): readonly number[] {
    const { spellings } = this.#arrays;
    const hash = hashOfPart(text, from, to);
    const start = pairOf(hash, 0);
    const end = pairOf(hash + 1, 0);
    let found = none;
    let last = -1;
    for (let at = this.#places.firstOf(hash); at < spellings.length; at++) {
      const pair = spellings[at] as number;
      if (pair >= end) break;
      const word = (pair - start) | 0;
      // Pairs are in the order of words. A word appears twice if two of its texts share a hash.
      if (word === last || !this.hasText(word, text, from, to)) continue;
      last = word;
      if (found === none) found = [];
      found.push(word);
    }
    return found;
  }

  /** False only if no word consists of letters with {@link hashWithout} `hash`, then `after`. */
  mayHave(hash: number, after: string): boolean {
    return this.#has(hashOfPart(after, 0, after.length, hash));
  }

  #has(hash: number): boolean {
    const { spellings } = this.#arrays;
    const place = this.#places.firstOf(hash);
    return place < spellings.length && (spellings[place] as number) < pairOf(hash + 1, 0);
  }

  /** Whether a word has exactly these letters of `text`. */
  hasText(word: number, text: string, from: number, to: number): boolean {
    const { letters, wordStart } = this.#arrays;
    const start = wordStart[word] as number;
    if ((wordStart[word + 1] as number) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (letters[start + at - from] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  /** Whether a word may have these letters up to one. */
  hasNear(text: string): boolean {
    for (let at = -1; at < text.length; at++) if (this.#has(hashWithout(text, at))) return true;
    return false;
  }
}

const none: number[] = [];
