import { type Script, scripts } from '../names/fold.ts';
import type { IndexArrays } from './layout.ts';
import { SpellingTable } from './words/spelling-table.ts';

/** How much words say in an index. */
export interface WordRarity {
  /** Of a word of a query, in whatever script: 1 for one that no name has. */
  ofQuery(text: string): number;
  /** Of a word of a listed name. */
  ofListed(text: string, script: Script): number;
}

/** Frequencies mean little in a short list: it counts as one of so many names. */
const LEAST_NAMES = 100_000;
const RARITY_STEP = 0.13;
const LEAST_RARITY = 0.5;

/** How much a word of an index says: the less, the more names have it. 0.5 to 1. */
export function rarityIn({ postingStart, namePerson }: IndexArrays, word: number): number {
  const names = Math.max(namePerson.length, LEAST_NAMES);
  const count = (postingStart[word + 1] as number) - (postingStart[word] as number);
  const often = Math.log10(Math.max(1, (count * LEAST_NAMES) / names));
  return Math.max(LEAST_RARITY, 1 - RARITY_STEP * often);
}

/** The same by the letters of words; nothing else of the index is opened for it. */
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
