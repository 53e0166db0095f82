import { type Script, scripts } from '../names/fold.ts';
import type { IndexArrays } from './layout.ts';
import { SpellingTable } from './words/spelling-table.ts';

/** Rarity of words in an index. */
export interface WordRarity {
  /** Rarity of a word of a query in any script: 1 if no name has it. */
  ofQuery(text: string): number;
  /** Rarity of a word of a listed name. */
  ofListed(text: string, script: Script): number;
}

/** Frequencies mean little in a short list, which is treated as having this many names. */
const LEAST_NAMES = 100_000;
const RARITY_STEP = 0.13;
const LEAST_RARITY = 0.5;

/** Rarity of a word of an index, 0.5 to 1: the more names have it, the lower. */
export function rarityIn({ postingStart, namePerson }: IndexArrays, word: number): number {
  const names = Math.max(namePerson.length, LEAST_NAMES);
  const count = (postingStart[word + 1] as number) - (postingStart[word] as number);
  const often = Math.log10(Math.max(1, (count * LEAST_NAMES) / names));
  return Math.max(LEAST_RARITY, 1 - RARITY_STEP * often);
}

/** Rarity of words by their letters. Needs no other part of the index. */
export function wordRarity(arrays: IndexArrays): WordRarity {
  let known: SpellingTable | undefined;
  const same = (text: string) => {
    known ??= new SpellingTable(arrays);
    return known.same(text);
  };
  const rarity = (word: number | undefined) => (word === undefined ? 1 : rarityIn(arrays, word));
  return {
    ofQuery: (text) => rarity(same(text)[0]),
    ofListed(text, script) {
      const number = scripts.indexOf(script);
      return rarity(same(text).find((word) => arrays.wordScript[word] === number));
    },
  };
}
