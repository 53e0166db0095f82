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

class Ranked implements Expansion {
  readonly words: readonly number[];
  readonly likenesses: readonly number[];
  /** By word; made when it is wanted, for many words never. */
  #known: ReadonlyMap<number, number> | undefined;

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
    this.#known ??= new Map(words.map((each, at) => [each, likenesses[at] as number]));
    return this.#known.get(word);
  }
}

/** Of a word to which none is alike. What reads it stays compiled: the arrays are of one kind. */
export const nothing: Expansion = new Ranked([], emptied([LEAST_LIKENESS]));

/**
 * Of the words that are looked at those that are alike, the most alike first.
 *
 * @param count how many are looked at
 * @param likenesses of each word, by its place
 */
export function ranked(near: Uint32Array, count: number, likenesses: Float64Array): Expansion {
  const places: number[] = [];
  for (let at = 0; at < count; at++) {
    if ((likenesses[at] as number) >= LEAST_LIKENESS) places.push(at);
  }
  if (places.length === 0) return nothing;
  const likeness = (at: number) => likenesses[at] as number;
  const word = (at: number) => near[at] as number;
  if (places.length > 1) places.sort((a, b) => likeness(b) - likeness(a) || word(a) - word(b));
  const words: number[] = [];
  // An array of ones alone would be of whole numbers, which is another kind.
  const ranks = emptied([LEAST_LIKENESS]);
  for (let each = 0; each < places.length; each++) {
    const at = places[each] as number;
    words.push(word(at));
    ranks.push(likeness(at));
  }
  return new Ranked(words, ranks);
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
