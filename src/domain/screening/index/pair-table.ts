import { pairOf } from './layout.ts';

/** Maximum number of buckets, as a power of two. */
const BITS_MAX = 20;

/**
 * Finds the first pair of a hash. Hashes are uniformly distributed, so their leading bits determine
 * the position up to a few pairs. Built on the first lookup.
 */
export class PairTable {
  readonly #pairs: Float64Array;
  #shift = 0;
  #starts: Uint32Array | undefined;

  /** @param pairs pairs (hash, number), sorted */
  constructor(pairs: Float64Array) {
    this.#pairs = pairs;
  }

  /** Position of the first pair not below `hash`, or the number of pairs if there is none. */
  firstOf(hash: number): number {
    const starts = this.#starts ?? this.#made();
    const pair = pairOf(hash, 0);
    const bucket = hash >>> this.#shift;
    let at = starts[bucket] as number;
    const end = starts[bucket + 1] as number;
    while (at < end && (this.#pairs[at] as number) < pair) at += 1;
    return at;
  }

  #made(): Uint32Array {
    const pairs = this.#pairs;
    // Most hashes that are looked up belong to no word, so most buckets should be empty.
    const wanted = Math.ceil(Math.log2(pairs.length + 2)) + 2;
    const bits = Math.max(1, Math.min(BITS_MAX, wanted));
    this.#shift = 32 - bits;
    const starts = new Uint32Array(2 ** bits + 1);
    const width = pairOf(2 ** this.#shift, 0);
    let bucket = 0;
    for (let at = 0; at < pairs.length; at++) {
      const own = Math.floor((pairs[at] as number) / width);
      while (bucket < own) starts[++bucket] = at;
    }
    while (bucket < 2 ** bits) starts[++bucket] = pairs.length;
    this.#starts = starts;
    return starts;
  }
}
