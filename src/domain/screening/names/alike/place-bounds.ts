/** Number of codes of letters and sounds, and the maximum word length: one bit per letter. */
const [CODES, LENGTH_MAX] = [128, 30];
/** Maximum shift of a letter to either side. Beyond it any position counts. */
const MOVED_MAX = 14;
/** In hundredths: maximum cost of a cheap replacement, and of one cheaper than any other. */
const [CHEAP, LESS] = [25, 99];

/** Costs in hundredths, as integers. */
export interface NearCodes {
  /** For each code: cost if the other word lacks it. */
  readonly extras: Uint8Array;
  /** For each code: other codes that cheaply replace it. */
  readonly cheap: readonly Uint8Array[];
  readonly less: readonly Uint8Array[];
  /** For each code: minimum cost of these replacements. */
  readonly cheapCosts: Uint8Array;
  readonly lessCosts: Uint8Array;
  /** Cost of a letter that repeats the previous one, if that is less. */
  readonly repeated: number;
}

/** {@link NearCodes} from costs 0 to 1: replacements by `code << 7 | code`, extras by code. */
export function nearCodes(swaps: Float64Array, extras: Float64Array, repeated: number): NearCodes {
  const [cheapCosts, lessCosts] = [new Uint8Array(CODES), new Uint8Array(CODES)];
  const [cheap, less]: [Uint8Array[], Uint8Array[]] = [[], []];
  for (let code = 0; code < CODES; code++) {
    const [cheapCodes, lessCodes]: [number[], number[]] = [[], []];
    let [cheapest, least] = [100, 100];
    for (let other = 0; other < CODES; other++) {
      // Skips nearly all codes, because commands that never search build this table as well.
      const swap = swaps[(code << 7) | other] as number;
      if (swap === 1 || other === code) continue;
      const cost = inHundredths(swap);
      if (cost <= CHEAP) {
        cheapCodes.push(other);
        cheapest = Math.min(cheapest, cost);
      } else if (cost <= LESS) {
        lessCodes.push(other);
        least = Math.min(least, cost);
      }
    }
    cheap.push(Uint8Array.from(cheapCodes));
    less.push(Uint8Array.from(lessCodes));
    cheapCosts[code] = cheapest;
    lessCosts[code] = least;
  }
  return {
    extras: Uint8Array.from(extras, inHundredths),
    cheap,
    less,
    cheapCosts,
    lessCosts,
    repeated,
  };
}

function inHundredths(cost: number): number {
  return Math.min(100, Math.floor(100 * cost + ROUNDING));
}

const ROUNDING = 1e-6;

/**
 * Lower bound of the edit cost of two words: every letter is matched with the cheapest letter near
 * its position. Rules out most words with a few operations per letter.
 */
export class PlaceBounds {
  /** By code: positions in the word of itself, of cheap and of other replacements, as bit masks. */
  readonly #same = new Int32Array(CODES);
  readonly #cheap = new Int32Array(CODES);
  readonly #less = new Int32Array(CODES);
  /** Minimum cost of this many letters that the other word lacks. */
  readonly #lacking = new Uint16Array(LENGTH_MAX + 1);
  #length = 0;
  #near: NearCodes | undefined;

  /** Sets the word for comparison: `length` codes starting at `from`. */
  begin(codes: Uint8Array | Uint16Array, from: number, length: number, near: NearCodes): void {
    this.#near = near;
    this.#length = length;
    if (length > LENGTH_MAX) return;
    const same = this.#same;
    const cheap = this.#cheap;
    const less = this.#less;
    const lacking = this.#lacking;
    same.fill(0);
    cheap.fill(0);
    less.fill(0);
    let before = 0;
    for (let at = 0; at < length; at++) {
      const code = (codes[from + at] as number) & (CODES - 1);
      const bit = 1 << at;
      same[code] = (same[code] as number) | bit;
      note(cheap, near.cheap[code] as Uint8Array, bit);
      note(less, near.less[code] as Uint8Array, bit);
      const own = near.extras[code] as number;
      const cost = code === before ? Math.min(near.repeated, own) : own;
      let place = at + 1;
      for (; place > 1 && (lacking[place - 1] as number) > cost; place--) {
        lacking[place] = lacking[place - 1] as number;
      }
      lacking[place] = cost;
      before = code;
    }
    for (let at = 1; at <= length; at++) {
      lacking[at] = (lacking[at] as number) + (lacking[at - 1] as number);
    }
  }

  /**
   * True for letters whose cost certainly exceeds `most`.
   *
   * @param left maximum number of positions by which a letter may occur later than in the word
   * @param right the same for earlier positions
   */
  isFar(
    letters: Uint16Array,
    start: number,
    length: number,
    left: number,
    right: number,
    most: number,
  ): boolean {
    if (length > LENGTH_MAX || this.#length > LENGTH_MAX) return false;
    const same = this.#same;
    const cheap = this.#cheap;
    const less = this.#less;
    const { extras, cheapCosts, lessCosts, repeated } = this.#near as NearCodes;
    const isAny = left > MOVED_MAX || right > MOVED_MAX;
    const width = (1 << (left + right + 1)) - 1;
    const lack = this.#length - length;
    const limit = 100 * most + ROUNDING;
    let sum = lack > 0 ? (this.#lacking[lack] as number) : 0;
    let before = 0;
    for (let at = 0; at < length; at++) {
      const code = (letters[start + at] as number) & (CODES - 1);
      const places = isAny ? -1 : at < left ? width >>> (left - at) : width << (at - left);
      if (((same[code] as number) & places) === 0) {
        let cost = extras[code] as number;
        if (code === before && repeated < cost) cost = repeated;
        const swapped =
          ((cheap[code] as number) & places) !== 0
            ? (cheapCosts[code] as number)
            : ((less[code] as number) & places) !== 0
              ? (lessCosts[code] as number)
              : 100;
        sum += Math.min(swapped, cost);
        if (sum > limit) return true;
      }
      before = code;
    }
    return sum > limit;
  }
}

function note(places: Int32Array, codes: Uint8Array, bit: number): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    places[code] = (places[code] as number) | bit;
  }
}
