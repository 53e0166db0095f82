import type { IndexArrays } from '../layout.ts';
import { SHORTEST_SPELLING } from '../layout.ts';

/** Places of the table, as a power of two. */
const BITS = 16;

/**
 * Tells of most texts that no word of an index has their letters but for one, without a look at
 * all of their letters: what is left without a letter has one of few beginnings, ends and lengths.
 */
export class NearTexts {
  readonly #known = new Uint8Array(1 << BITS);

  constructor({ letters, wordStart }: IndexArrays) {
    for (let word = 0; word + 1 < wordStart.length; word++) {
      const start = wordStart[word] as number;
      const length = (wordStart[word + 1] as number) - start;
      if (length < 2) continue;
      const at = (place: number) => letters[start + place] ?? 0;
      const [last, before] = [at(length - 1), at(length - 2)];
      this.#known[keyOf(at(0), at(1), last, length)] = 1;
      if (length < SHORTEST_SPELLING) continue;
      this.#known[keyOf(at(1), at(2), last, length - 1)] = 1;
      this.#known[keyOf(at(0), at(2), last, length - 1)] = 1;
      this.#known[keyOf(at(0), at(1), last, length - 1)] = 1;
      this.#known[keyOf(at(0), at(1), before, length - 1)] = 1;
    }
  }

  /** False when no word has the letters of both texts but for one; each has two or more. */
  mayBe(one: string, other: string): boolean {
    const known = this.#known;
    const length = one.length + other.length;
    const [first, second] = [one.charCodeAt(0), one.charCodeAt(1)];
    const third = one.length > 2 ? one.charCodeAt(2) : other.charCodeAt(0);
    const last = other.charCodeAt(other.length - 1);
    const before = other.charCodeAt(other.length - 2);
    return (
      known[keyOf(first, second, last, length)] === 1 ||
      known[keyOf(first, second, last, length - 1)] === 1 ||
      known[keyOf(second, third, last, length - 1)] === 1 ||
      known[keyOf(first, third, last, length - 1)] === 1 ||
      known[keyOf(first, second, before, length - 1)] === 1
    );
  }
}

function keyOf(first: number, second: number, last: number, length: number): number {
  return (((first * 31 + second) * 31 + last) * 37 + length) & ((1 << BITS) - 1);
}
