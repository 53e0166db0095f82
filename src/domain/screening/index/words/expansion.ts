import { LEAST_LIKENESS } from '../../names/align.ts';

/** Words of an index that are alike to a word, the most alike first. */
export interface Expansion {
  readonly words: readonly number[];
  /** By word. */
  readonly likenesses: ReadonlyMap<number, number>;
}

/** Of a word to which none is alike. */
export const nothing: Expansion = { words: [], likenesses: new Map() };

/**
 * Of the words that are looked at those that are alike, the most alike first.
 *
 * @param likenesses of each word, by its place
 */
export function ranked(near: readonly number[], likenesses: ArrayLike<number>): Expansion {
  const places: number[] = [];
  for (let at = 0; at < near.length; at++) {
    if ((likenesses[at] as number) >= LEAST_LIKENESS) places.push(at);
  }
  if (places.length === 0) return nothing;
  const likeness = (at: number) => likenesses[at] as number;
  const word = (at: number) => near[at] as number;
  places.sort((a, b) => likeness(b) - likeness(a) || word(a) - word(b));
  const words = places.map(word);
  return { words, likenesses: new Map(places.map((at) => [word(at), likeness(at)])) };
}
