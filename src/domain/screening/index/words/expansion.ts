import { LEAST_LIKENESS } from '../../names/align.ts';

/** Words of an index that are similar to a word, most similar first. */
export interface Expansion {
  readonly words: readonly number[];
  /** Parallel to `words`. */
  readonly likenesses: readonly number[];
  /** Similarity of one of the words; undefined for any other. */
  likenessOf(word: number): number | undefined;
}

/** Up to this many words are searched linearly, more by bisection. */
const LOOKED_THROUGH = 32;
/** More than the size of any expansion: word and position are combined into one number. */
const PLACES = 2 ** 20;

class Ranked implements Expansion {
  readonly words: readonly number[];
  readonly likenesses: readonly number[];
  /** Each word times {@link PLACES} plus its position, sorted. Built on demand, often never. */
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

/** Expansion of a word without similar words. Arrays of the usual element kind keep reads fast. */
export const nothing: Expansion = new Ranked([], emptied([LEAST_LIKENESS]));

/**
 * Selects the similar words among the examined ones, most similar first. Reorders both arrays.
 *
 * @param count number of examined words
 * @param likenesses similarity of each word, parallel to `near`
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
  // An array of ones only would have integer elements, a different element kind.
  const ranks = emptied([LEAST_LIKENESS]);
  for (let at = 0; at < kept; at++) {
    words.push(near[at] as number);
    ranks.push(likenesses[at] as number);
  }
  return new Ranked(words, ranks);
}

/** The first of the steps 1, 4, 13, … for sorting `count` elements. */
function firstStep(count: number): number {
  let step = 1;
  while (3 * step + 1 < count) step = 3 * step + 1;
  return step;
}

/**
 * One pass of Shellsort with distance `step` (Shell, A high-speed sorting procedure, 1959). A
 * comparison function would allocate a heap number for each similarity.
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

/** An empty array with the element kind for objects, which an empty literal does not have. */
export function emptyOf<T extends object>(): T[] {
  return emptied<T | null>([null]) as T[];
}

/** Empties the array, keeping its element kind. */
export function emptied<T>(values: T[]): T[] {
  while (values.length > 0) values.pop();
  return values;
}
