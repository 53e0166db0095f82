import { LEAST_LIKENESS } from '../../names/align.ts';

/** Words of an index that are alike to a word, the most alike first. */
export interface Expansion {
  readonly words: readonly number[];
  /** By place in the words. */
  readonly likenesses: readonly number[];
  /** How alike one of the words is; undefined for another. */
  likenessOf(word: number): number | undefined;
}

/** So many words are looked through, more are looked up. */
const LOOKED_THROUGH = 32;
/** More than there are places in an expansion: a word and its place are one number. */
const PLACES = 2 ** 20;

class Ranked implements Expansion {
  readonly words: readonly number[];
  readonly likenesses: readonly number[];
  /** Each word times {@link PLACES} and its place, sorted; made when it is wanted, often never. */
  #places: Float64Array | undefined;

  constructor(words: readonly number[], likenesses: readonly number[]) {
    this.words = words;
    this.likenesses = likenesses;
  }

  likenessOf(word: number): number | undefined {
    const { words, likenesses } = this;
    if (words.length <= LOOKED_THROUGH) {
      const at = words.indexOf(word);
      return at < 0 ? undefined : likenesses[at];
    }
    const places = this.#places ?? this.#sorted();
    const least = word * PLACES;
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) < least) low = middle + 1;
      else high = middle;
    }
    const at = low < places.length ? (places[low] as number) - least : PLACES;
    return at < PLACES ? likenesses[at] : undefined;
  }

  #sorted(): Float64Array {
    const places = new Float64Array(this.words.length);
    for (let at = 0; at < places.length; at++) {
      places[at] = (this.words[at] as number) * PLACES + at;
    }
    this.#places = places.sort();
    return places;
  }
}

/** Of a word to which none is alike. What reads it stays compiled: the arrays are of one kind. */
export const nothing: Expansion = new Ranked([], emptied([LEAST_LIKENESS]));

/**
 * The words that are alike among those that are looked at, the most alike first. Both arrays are
 * in another order afterwards.
 *
 * @param count how many are looked at
 * @param likenesses of each word, by its place
 */
export function ranked(near: Uint32Array, count: number, likenesses: Float64Array): Expansion {
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const likeness = likenesses[at] as number;
    if (likeness < LEAST_LIKENESS) continue;
    near[kept] = near[at] as number;
    likenesses[kept++] = likeness;
  }
  if (kept === 0) return nothing;
  for (let step = firstStep(kept); step > 0; step = (step - 1) / 3) {
    sortBySteps(near, likenesses, kept, step);
  }
  const words: number[] = [];
  // An array of ones alone would be of whole numbers, which is another kind.
  const ranks = emptied([LEAST_LIKENESS]);
  for (let at = 0; at < kept; at++) {
    words.push(near[at] as number);
    ranks.push(likenesses[at] as number);
  }
  return new Ranked(words, ranks);
}

/** The first of the steps 1, 4, 13, … of a sort of so many. */
function firstStep(count: number): number {
  let step = 1;
  while (3 * step + 1 < count) step = 3 * step + 1;
  return step;
}

/**
 * Sorts each row of words that are `step` places apart (Shell, A high-speed sorting procedure,
 * 1959): a function that compares two would make a number on the heap for each likeness.
 */
function sortBySteps(
  words: Uint32Array,
  likenesses: Float64Array,
  count: number,
  step: number,
): void {
  for (let from = step; from < count; from++) {
    const word = words[from] as number;
    const likeness = likenesses[from] as number;
    let at = from;
    for (; at >= step; at -= step) {
      const before = likenesses[at - step] as number;
      if (before > likeness) break;
      if (before === likeness && (words[at - step] as number) < word) break;
      words[at] = words[at - step] as number;
      likenesses[at] = before;
    }
    words[at] = word;
    likenesses[at] = likeness;
  }
}

/** An empty array of the kind that it has with objects in it, which an empty literal is not. */
export function emptyOf<T extends object>(): T[] {
  return emptied<T | null>([null]) as T[];
}

/** The array without what is in it. */
export function emptied<T>(values: T[]): T[] {
  while (values.length > 0) values.pop();
  return values;
}
