import type { IndexArrays } from '../layout.ts';
import { SHORTEST_SPELLING } from '../layout.ts';

/** Bits of the table, as a power of two. */
const BITS = 19;
const MASK = (1 << BITS) - 1;
/** By what the two first and the two last letters of a text, and its length, are multiplied. */
const [FIRST, SECOND, BEFORE_LAST, LAST, LENGTH] = [0x4e35b, 0x2f0b5, 0x6c8e9, 0x1a2d3, 0x35297];

/**
 * Tells of most texts that no word of an index has their letters but for one, without a look at
 * all of their letters: what is left without a letter has one of few beginnings, ends and lengths.
 */
export class NearTexts {
  readonly #known = new Uint32Array(1 << (BITS - 5));

  constructor({ letters, wordStart }: IndexArrays) {
    for (let word = 0; word + 1 < wordStart.length; word++) {
      const [from, to] = [wordStart[word] as number, wordStart[word + 1] as number];
      // Two words of two letters have three without one of them.
      if (to - from < SHORTEST_SPELLING - 1) continue;
      const ends = textEnds(letters, from, to);
      const { start, end } = ends;
      this.#add(start + end + ends.length);
      if (to - from < SHORTEST_SPELLING) continue;
      const length = ends.length - LENGTH;
      this.#add(ends.second + ends.third + end + length);
      this.#add(ends.first + ends.third + end + length);
      this.#add(start + end + length);
      this.#add(start + ends.beforeLast + ends.thirdLast + length);
      this.#add(start + ends.last + ends.thirdLast + length);
    }
  }

  #add(key: number): void {
    const place = (key & MASK) >>> 5;
    this.#known[place] = (this.#known[place] as number) | (1 << (key & 31));
  }

  /** False when no word has the letters of both texts but for one; each has two or more. */
  mayBe(one: TextEnds, other: TextEnds): boolean {
    const { start } = one;
    const { end } = other;
    const length = one.length + other.length;
    if (this.#has(start + end + length)) return true;
    // Without a letter anywhere between the ends, at the start, and at the end.
    const shorter = length - LENGTH;
    if (this.#has(start + end + shorter)) return true;
    const third = (one.isShort ? other.firstAsSecond : one.third) + end + shorter;
    if (this.#has(one.second + third) || this.#has(one.first + third)) return true;
    const thirdLast = (other.isShort ? one.lastAsBefore : other.thirdLast) + start + shorter;
    return this.#has(other.beforeLast + thirdLast) || this.#has(other.last + thirdLast);
  }

  #has(key: number): boolean {
    return (((this.#known[(key & MASK) >>> 5] as number) >>> (key & 31)) & 1) === 1;
  }
}

/** Of a text what {@link NearTexts} add up to a key: letters at its ends, and its length. */
export interface TextEnds {
  readonly length: number;
  /** True for a text of two letters. */
  readonly isShort: boolean;
  /** The two first letters, and the two last ones. */
  readonly start: number;
  readonly end: number;
  /** What may be the first of two letters, or the second of them. */
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly firstAsSecond: number;
  /** What may be the last of two letters, or the one before. */
  readonly last: number;
  readonly beforeLast: number;
  readonly thirdLast: number;
  readonly lastAsBefore: number;
}

/** The ends of the text of these letters; those that it does not have are 0. */
export function textEnds(letters: Uint8Array, from: number, to: number): TextEnds {
  const size = to - from;
  const [a, b, c] = [letters[from], letters[from + 1], letters[from + 2]];
  const [x, y, z] = [letters[to - 3], letters[to - 2], letters[to - 1]];
  const second = size > 1 ? b : 0;
  const third = size > 2 ? c : 0;
  const beforeLast = size > 1 ? y : 0;
  const thirdLast = size > 2 ? x : 0;
  return {
    length: (LENGTH * size) & MASK,
    isShort: size <= 2,
    start: part(FIRST, a) + part(SECOND, second),
    end: part(BEFORE_LAST, beforeLast) + part(LAST, z),
    first: part(FIRST, a),
    second: part(FIRST, second),
    third: part(SECOND, third),
    firstAsSecond: part(SECOND, a),
    last: part(LAST, z),
    beforeLast: part(LAST, beforeLast),
    thirdLast: part(BEFORE_LAST, thirdLast),
    lastAsBefore: part(BEFORE_LAST, z),
  };
}

function part(factor: number, letter = 0): number {
  return Math.imul(factor, letter) & MASK;
}
