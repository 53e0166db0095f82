import { pairOf } from './layout.ts';

/** Buckets at most, as a power of two. */
const BITS_MAX = 20;

/**
 * Where the pairs of a hash begin. Hashes are spread evenly, so that their first bits tell the
 * place but for a few pairs; the table is made at the first look-up.
 */
export class PairTable {
  readonly #pairs: Float64Array;
  #shift = 0;
  #starts: Uint32Array | undefined;

  /** @param pairs pairs (hash, number), sorted */
  constructor(pairs: Float64Array) {
    this.#pairs = pairs;
  }

  /** The first place whose pair is not below `hash`; the number of pairs where there is none. */
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
    // Most hashes that are looked up are of no word: most buckets are empty.
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
