import { FNV_PRIME, FNV_START, type IndexArrays } from '../layout.ts';

/** Bits of each table, as a power of two. */
const BITS = 20;
const MASK = (1 << BITS) - 1;

/**
 * The prefixes and suffixes of the words of an index, each also with one letter deleted. Two joined
 * words can equal a word of the index up to one letter only if some word may start with the first
 * and some word may end with the second.
 */
export class NearTexts {
  readonly #begins = new Int32Array(1 << (BITS - 5));
  readonly #ends = new Int32Array(1 << (BITS - 5));

  constructor({ letters, wordStart }: IndexArrays) {
    for (let word = 0; word + 1 < wordStart.length; word++) {
      const from = wordStart[word] as number;
      const to = wordStart[word + 1] as number;
      for (let without = from - 1; without < to; without++) {
        let hash = FNV_START;
        for (let at = from; at < to; at++) {
          if (at !== without) hash = noted(this.#begins, hash, letters[at] as number);
        }
        hash = FNV_START;
        for (let at = to - 1; at >= from; at--) {
          if (at !== without) hash = noted(this.#ends, hash, letters[at] as number);
        }
      }
    }
  }

  /** False only if no word starts with the text. */
  mayBegin(text: string): boolean {
    return has(this.#begins, text, 1);
  }

  /** False only if no word ends with the text. */
  mayEnd(text: string): boolean {
    return has(this.#ends, text, -1);
  }
}

/** Extends the hash by a letter and adds it to the table. */
function noted(table: Int32Array, before: number, letter: number): number {
  const hash = Math.imul(before ^ letter, FNV_PRIME);
  const place = (hash & MASK) >>> 5;
  table[place] = (table[place] as number) | (1 << (hash & 31));
  return hash;
}

/** Whether a table may contain the text or it less one letter. `step`: 1 forward, -1 backward. */
function has(table: Int32Array, text: string, step: number): boolean {
  const first = step > 0 ? 0 : text.length - 1;
  for (let without = -1; without < text.length; without++) {
    let hash = FNV_START;
    for (let at = first; at >= 0 && at < text.length; at += step) {
      if (at !== without) hash = Math.imul(hash ^ (text.charCodeAt(at) & 0xff), FNV_PRIME);
    }
    if ((((table[(hash & MASK) >>> 5] as number) >>> (hash & 31)) & 1) === 1) return true;
  }
  return false;
}
