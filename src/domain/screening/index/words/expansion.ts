import { LEAST_LIKENESS } from '../../names/align.ts';

/** Words of an index that are alike to a word, the most alike first. */
export interface Expansion {
  readonly words: readonly number[];
  /** By word. */
  readonly likenesses: ReadonlyMap<number, number>;
}

/** Of a word to which none is alike. */
export const nothing: Expansion = { words: [], likenesses: new Map() };

/** Of the words that are looked at those that are alike, the most alike first. */
export function ranked(near: readonly number[], likenessOf: (word: number) => number): Expansion {
  if (near.length === 0) return nothing;
  const found: { readonly word: number; readonly likeness: number }[] = [];
  for (const word of near) {
    const likeness = likenessOf(word);
    if (likeness >= LEAST_LIKENESS) found.push({ word, likeness });
  }
  if (found.length === 0) return nothing;
  found.sort((a, b) => b.likeness - a.likeness || a.word - b.word);
  const likenesses = new Map<number, number>();
  for (const { word, likeness } of found) likenesses.set(word, likeness);
  const words = found.map(({ word }) => word);
  return { words, likenesses };
}
