import { editCost } from './edit-cost.ts';
import { shapeOfPair } from './phones.table.ts';
import { phonesOfName, shareOf } from './phones.ts';
import { looseSkeleton } from './skeleton.ts';
import { isBare } from './word-likeness.ts';
import type { NameWord } from './words.ts';

/** A whole name by its consonants and sounds, for scripts that leave vowels out or add some. */
export interface WholeName {
  readonly consonants: string;
  readonly sounds: string;
  readonly script: NameWord['script'];
}

/** Names with fewer consonants are alike by chance. */
const LEAST_CONSONANTS = 6;
/** Below it no likeness counts. */
const LEAST = 0.65;
/** The consonants alone say less than the words with their sounds. */
const FULL = 0.92;
const ROUNDING = 1e-9;

/** The consonants and sounds of a whole name; undefined for too few. */
export function wholeName(words: readonly NameWord[]): WholeName | undefined {
  const text = words.map(({ skeleton, isParticle }) => (isParticle ? '' : skeleton)).join('');
  if (text.length < LEAST_CONSONANTS) return undefined;
  const script = (words.find(isBare) ?? words[0])?.script ?? 'latin';
  return { consonants: looseSkeleton(text), sounds: phonesOfName(words), script };
}

/** True for names of which a part is in a script that leaves vowels out or adds some. */
export function hasBareWord(words: readonly NameWord[]): boolean {
  return words.some(isBare);
}

/**
 * How alike two names are by their consonants, as far as their sounds agree as well, 0 to 1; 0 for
 * less than `least`.
 */
export function wholeLikeness(query: WholeName, listed: WholeName, least = LEAST): number {
  const [a, b] = [query.consonants, listed.consonants];
  const longer = Math.max(a.length, b.length);
  // Few consonants are the same by chance: each counts for more.
  const few = Math.max(0, 10 - longer);
  const price = (1.1 + 0.2 * few) / longer;
  const full = FULL - 0.025 * few;
  const cost = editCost(a, b, (full - Math.max(LEAST, least)) / price + ROUNDING);
  const likeness = full - price * cost;
  if (!(likeness > 0)) return 0;
  const costs = shapeOfPair(query.script, listed.script);
  return Math.min(likeness, shareOf(query.sounds, listed.sounds, costs, least));
}
