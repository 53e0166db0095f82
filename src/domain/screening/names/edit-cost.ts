import { nearCodes, PlaceBounds } from './alike/place-bounds.ts';

/** Cost of replacing one letter by another. */
function swap(a: number, b: number): number {
  if (a === b) return 0;
  const isVowels = isVowel(a) && isVowel(b);
  if (isVowels) return 0.5;
  return confused.has((Math.min(a, b) << 8) | Math.max(a, b)) ? 0.5 : 1;
}

/** A final a or o distinguishes female from male names. */
function lastSwap(a: number, b: number): number {
  return a !== b && (a === A || a === O) && (b === A || b === O) ? 1 : swap(a, b);
}

const [A, O, Z] = [97, 111, 122];

/** Cost of a letter that one spelling lacks. */
function extra(code: number, before: number): number {
  if (code === before) return 0.3;
  if (code === H) return 0.4;
  return isVowel(code) ? 0.6 : 1;
}

const H = 104;

function isVowel(code: number): boolean {
  return (
    code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
  );
}

const confused = new Set(
  [
    'ck',
    'cs',
    'ij',
    'jy',
    'kq',
    'sz',
    'vw',
    'fv',
    'bp',
    'dt',
    'gk',
    'gj',
    'mn',
    'bv',
    'ks',
    'gh',
    'kx',
    'cq',
    'jz',
    'fp',
    'uw',
    'uv',
  ].map((pair) => (pair.charCodeAt(0) << 8) | pair.charCodeAt(1)),
);

const LENGTH_MAX = 40;
/** Codes with tabulated costs; few names contain other than basic letters. */
const CODES = 128;
const swaps = tableOf(swap);
const extras = tableOf(extra);
/** Minimum cost of a letter that one spelling lacks. */
const LEAST_EXTRA = 0.3;

/** Costs by `one << 7 | other`; can differ from 1 only for equal letters or a lower-case `one`. */
function tableOf(cost: (one: number, other: number) => number): Float64Array {
  const costs = new Float64Array(CODES * CODES).fill(1);
  for (let one = 0; one < CODES; one++) {
    costs[(one << 7) | one] = cost(one, one);
  }
  for (let one = A; one <= Z; one++) {
    for (let other = 0; other < CODES; other++) costs[(one << 7) | other] = cost(one, other);
  }
  return costs;
}

/** Cost of transposing two adjacent letters. */
const TURNED = 0.7;

const rows = [0, 1, 2].map(() => new Float64Array(LENGTH_MAX + 1)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];

/** A text prepared as the target of edits of many other texts. */
export class EditTarget {
  /** Its letters, and the cost of each if the other text lacks it. */
  readonly #codes = new Uint16Array(LENGTH_MAX);
  readonly #adds = new Float64Array(LENGTH_MAX);
  readonly #bounds = new PlaceBounds();
  #hasBounds = false;
  #length = 0;
  #text = '';

  /** Sets the text. */
  begin(text: string): void {
    if (this.#text === text) return;
    this.#text = text;
    const codes = this.#codes;
    const adds = this.#adds;
    this.#length = Math.min(text.length, LENGTH_MAX);
    this.#hasBounds = false;
    let before = 0;
    for (let at = 0; at < this.#length; at++) {
      const code = text.charCodeAt(at);
      codes[at] = code;
      adds[at] = extraOf(code, before);
      before = code;
    }
  }

  /**
   * True if the {@link cost} certainly exceeds `most`. Rules out most texts.
   *
   * @param extra minimum cost of a letter that one of the texts lacks
   */
  isFar(letters: Uint16Array, at: number, length: number, most: number, extra: number): boolean {
    if (!this.#hasBounds) {
      this.#bounds.begin(this.#codes, 0, this.#length, nearLetters);
      this.#hasBounds = true;
    }
    const more = length - this.#length;
    const apart = Math.abs(more);
    const aside = placesAside(most, extra, apart);
    if (aside < 0) return true;
    // At the edge of the band, a transposition may still fit.
    const isTurned = most - extra * (2 * aside + apart) > TURNED - ROUNDING ? 1 : 0;
    const left = Math.max(0, more) + aside + isTurned;
    const right = Math.max(0, -more) + aside + isTurned;
    return this.#bounds.isFar(letters, at, length, left, right, most);
  }

  /** Minimum cost of editing letters into the text; if above `most`, any such value or Infinity. */
  cost(
    letters: Uint16Array,
    at: number,
    length: number,
    most: number,
    extra = LEAST_EXTRA,
  ): number {
    const n = Math.min(length, LENGTH_MAX);
    const m = this.#length;
    const codes = this.#codes;
    const adds = this.#adds;
    const aside = placesAside(most, extra, Math.abs(n - m));
    if (aside < 0) return Number.POSITIVE_INFINITY;
    const left = Math.max(0, n - m) + aside;
    const right = Math.max(0, m - n) + aside;
    let before = rows[0];
    let last = rows[1];
    let now = rows[2];
    last[0] = 0;
    for (let j = 1; j <= m; j++) {
      last[j] =
        j > right ? Number.POSITIVE_INFINITY : (last[j - 1] as number) + (adds[j - 1] as number);
    }
    let x0 = 0;
    let leastBefore = 0;
    for (let i = 1; i <= n; i++) {
      const x = letters[at + i - 1] as number;
      const dropX = extraOf(x, x0);
      const from = Math.max(1, i - left);
      const to = Math.min(m, i + right);
      const isBasic = x < CODES;
      const row = x << 7;
      const end = i === n ? m : 0;
      let swapped = last[from - 1] as number;
      let cost = from > 1 ? Number.POSITIVE_INFINITY : swapped + dropX;
      now[from - 1] = cost;
      let least = cost;
      let y0 = from > 1 ? (codes[from - 2] as number) : 0;
      for (let j = from; j <= to; j++) {
        const y = codes[j - 1] as number;
        const added = cost + (adds[j - 1] as number);
        if (j === end) cost = swapped + lastSwap(x, y);
        else cost = swapped + (isBasic && y < CODES ? (swaps[row | y] as number) : swap(x, y));
        swapped = last[j] as number;
        const dropped = swapped + dropX;
        if (dropped < cost) cost = dropped;
        if (added < cost) cost = added;
        if (x === y0 && x0 === y && i > 1 && j > 1) {
          const turned = (before[j - 2] as number) + TURNED;
          if (turned < cost) cost = turned;
        }
        now[j] = cost;
        if (cost < least) least = cost;
        y0 = y;
      }
      if (to < m) now[to + 1] = Number.POSITIVE_INFINITY;
      // A transposition continues from the row before the previous one.
      if (least > most && leastBefore + TURNED > most) return Number.POSITIVE_INFINITY;
      leastBefore = least;
      x0 = x;
      const free = before;
      before = last;
      last = now;
      now = free;
    }
    return last[m] as number;
  }
}

/** Sums of the same costs in another order differ by rounding errors. */
const ROUNDING = 1e-9;

/** Half-width of the band around the diagonal: leaving it and returning costs more than `most`. */
function placesAside(most: number, extra: number, apart: number): number {
  return Math.floor((most / extra - apart) / 2 + ROUNDING);
}

const nearLetters = nearCodes(
  swaps,
  Float64Array.from({ length: CODES }, (_, code) => extra(code, 0)),
  100 * LEAST_EXTRA,
);

/** Minimum cost of a letter that one text lacks, given the letters of both. */
export function leastExtra(hasRepeated: boolean, hasH: boolean): number {
  return hasRepeated ? LEAST_EXTRA : hasH ? EXTRA_H : EXTRA_VOWEL;
}

/** Costs for h and for vowels. */
const [EXTRA_H, EXTRA_VOWEL] = [0.4, 0.6];

const target = new EditTarget();
const given = new Uint16Array(LENGTH_MAX);

/** Minimum cost of weighted edits from `a` to `b`; if above `most`, any such value or Infinity. */
export function editCost(a: string, b: string, most: number): number {
  target.begin(b);
  const length = Math.min(a.length, LENGTH_MAX);
  for (let at = 0; at < length; at++) given[at] = a.charCodeAt(at);
  return target.cost(given, 0, length, most);
}

function extraOf(code: number, before: number): number {
  return code < CODES && before < CODES
    ? (extras[(code << 7) | before] as number)
    : extra(code, before);
}

const budgets = [0, 0, 0.3, 0.5, 0.7, 1, 1.3, 1.6, 1.9, 2.1, 2.3, 2.5];

/** Maximum cost between two spellings of one word, by the length of the shorter. */
export function editBudget(length: number): number {
  return budgets[length] ?? 2.7;
}
