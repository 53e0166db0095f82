import { editCost } from './edit-cost.ts';
import { looseSkeleton } from './skeleton.ts';
import { isBare } from './word-likeness.ts';
import type { NameWord } from './words.ts';

/** Names with fewer consonants are alike by chance. */
const LEAST_CONSONANTS = 6;
/** Below it no likeness counts. */
const LEAST = 0.65;
/** The consonants alone say less than the words with their sounds. */
const FULL = 0.92;

/** The consonants of a whole name; undefined for too few. */
export function consonantsOf(words: readonly NameWord[]): string | undefined {
  const text = words.map(({ skeleton, isParticle }) => (isParticle ? '' : skeleton)).join('');
  return text.length < LEAST_CONSONANTS ? undefined : looseSkeleton(text);
}

/** True for names of which a part is in a script that leaves vowels out or adds some. */
export function hasBareWord(words: readonly NameWord[]): boolean {
  return words.some(isBare);
}

/** How alike two names are by their consonants alone, 0 to 1. */
export function wholeLikeness(query: string, listed: string): number {
  const longer = Math.max(query.length, listed.length);
  // Few consonants are the same by chance: each counts for more.
  const few = Math.max(0, 10 - longer);
  const price = (1.1 + 0.2 * few) / longer;
  const full = FULL - 0.025 * few;
  const cost = editCost(query, listed, (full - LEAST) / price);
  return Math.max(0, full - price * cost);
}
