/** Number of letter codes, and the maximum text length: one bit per letter. */
const [CODES, LENGTH_MAX] = [128, 31];

/**
 * Bounds the number of edits that turn other texts into a given text: replaced, inserted or deleted
 * letters, and transposed adjacent letters. A column of the edit table is held in the bits of a
 * number, so that each letter of the other text takes a few operations (Hyyrö, A bit-vector
 * algorithm for computing Levenshtein and Damerau edit distances, 2003).
 */
export class EditCount {
  /** For each code: its positions in the text, as a bit mask. */
  readonly #places = new Int32Array(CODES);
  readonly #classes: Uint8Array;
  #length = 0;

  /** @param classes class of each code; letters of one class count as equal */
  constructor(classes: Uint8Array) {
    this.#classes = classes;
  }

  /** Sets the text. */
  begin(text: string): void {
    const places = this.#places;
    const classes = this.#classes;
    this.#length = text.length;
    places.fill(0);
    for (let at = 0; at < Math.min(text.length, LENGTH_MAX); at++) {
      const own = classes[text.charCodeAt(at) & (CODES - 1)] as number;
      places[own] = (places[own] as number) | (1 << at);
    }
  }

  /** True only if the first `length` letters of `codes` need more than `most` edits. */
  isMore(codes: Uint16Array, length: number, most: number): boolean {
    if (this.#length > LENGTH_MAX || this.#length === 0) return false;
    const places = this.#places;
    const classes = this.#classes;
    const last = 1 << (this.#length - 1);
    let count = this.#length;
    let more = -1;
    let fewer = 0;
    let diagonal = 0;
    let before = 0;
    for (let at = 0; at < length; at++) {
      const own = places[classes[(codes[at] as number) & (CODES - 1)] as number] as number;
      const turned = ((~diagonal & own) << 1) & before;
      diagonal = ((((own & more) + more) | 0) ^ more) | own | fewer | turned;
      const added = fewer | ~(diagonal | more);
      const dropped = diagonal & more;
      if ((added & last) !== 0) count += 1;
      else if ((dropped & last) !== 0) count -= 1;
      // Each remaining letter can lower the count by at most one.
      if (count - (length - 1 - at) > most) return true;
      const shifted = (added << 1) | 1;
      more = (dropped << 1) | ~(diagonal | shifted);
      fewer = shifted & diagonal;
      before = own;
    }
    return count > most;
  }
}
