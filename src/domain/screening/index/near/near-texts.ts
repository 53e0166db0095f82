import { FNV_PRIME, FNV_START, type IndexArrays } from '../layout.ts';

/** Bits of each table, as a power of two. */
const BITS = 20;
const MASK = (1 << BITS) - 1;

/**
 * The texts that words of an index begin and end with. Two words together may be a word of the
 * index but for a letter only if one of its words may begin with the first, and end with the
 * second. Texts are the same, too, where either lacks one letter of the other.
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

  /** False only if no word begins with the text. */
  mayBegin(text: string): boolean {
    return has(this.#begins, text, 1);
  }

  /** False only if no word ends with the text. */
  mayEnd(text: string): boolean {
    return has(this.#ends, text, -1);
  }
}

/** The hash of one letter more, which the table has then. */
function noted(table: Int32Array, before: number, letter: number): number {
  const hash = Math.imul(before ^ letter, FNV_PRIME);
  const place = (hash & MASK) >>> 5;
  table[place] = (table[place] as number) | (1 << (hash & 31));
  return hash;
}

/** True if a table has the text, or the text without one letter. `step`: 1 forward, -1 backward. */
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
