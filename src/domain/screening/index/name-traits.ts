import { bareScripts } from './compare-name.ts';
import type { IndexArrays } from './layout.ts';

/** Properties by which a name can be more similar than its words show. */
export const trait = {
  /** Has a word of one letter, which matches any word that starts with it. */
  initial: 1,
  /** Has a word whose script omits vowels or adds unpronounced ones. */
  bare: 2,
  /** Has no such word. */
  full: 4,
} as const;

/** Numbers per name in {@link NameTraits.table}. */
export const FACTS = 4;

/** Offsets of the {@link FACTS} of a name. */
export const fact = {
  /** Lowest 16 bits: consonant counts; next 8 bits: number of words; above: {@link trait}. */
  counts: 0,
  /** Its bag of consonants. */
  bag: 1,
  /** Sums of the lengths of adjacent words, as a bit mask. */
  pairs: 2,
  /** Position of its first word. */
  start: 3,
} as const;
const TRAIT_SHIFT = 24;

/** The names that contain each word. Those of a word run from its start to the next. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly names: Int32Array;
}

/** The {@link trait traits} of the names of an index, computed when it is opened. */
export class NameTraits {
  /** The names that have an initial or a word without vowels. */
  readonly special: Postings;
  /**
   * Data read for thousands of names per query. All data of a name are adjacent, so that one memory
   * access fetches them. Other classes fill in their own {@link fact}s. An extra entry after the
   * last name marks its end.
   */
  readonly table: Int32Array;

  constructor(arrays: IndexArrays) {
    const { nameStart } = arrays;
    const traits = traitsOf(arrays);
    this.special = specialOf(arrays, traits);
    this.table = new Int32Array(FACTS * nameStart.length);
    for (let name = 0; name < nameStart.length; name++) {
      this.table[FACTS * name + fact.counts] = (traits[name] ?? 0) << TRAIT_SHIFT;
      this.table[FACTS * name + fact.start] = nameStart[name] as number;
    }
  }

  /** Whether a name has any of these traits. */
  has(name: number, traits: number): boolean {
    const counts = this.table[FACTS * name + fact.counts] as number;
    return ((counts >>> TRAIT_SHIFT) & traits) !== 0;
  }
}

function traitsOf({ nameStart, nameWords, wordStart, wordScript }: IndexArrays): Uint8Array {
  const ofWord = wordScript.map((script, word) => {
    const length = (wordStart[word + 1] as number) - (wordStart[word] as number);
    return (length <= 1 ? trait.initial : 0) | (bareScripts[script] === true ? trait.bare : 0);
  });
  const traits = new Uint8Array(nameStart.length - 1);
  for (let name = 0; name < traits.length; name++) {
    let found = 0;
    for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
      found |= ofWord[nameWords[at] as number] as number;
    }
    traits[name] = (found & trait.bare) === 0 ? found | trait.full : found;
  }
  return traits;
}

/** For each word, the names that contain it and have an initial or a word without vowels. */
function specialOf({ postingStart, postings }: IndexArrays, traits: Uint8Array): Postings {
  const starts = new Uint32Array(postingStart.length);
  const names: number[] = [];
  for (let word = 0; word + 1 < postingStart.length; word++) {
    for (let at = postingStart[word] as number; at < (postingStart[word + 1] as number); at++) {
      const name = postings[at] as number;
      if (((traits[name] as number) & (trait.initial | trait.bare)) !== 0) names.push(name);
    }
    starts[word + 1] = names.length;
  }
  return { starts, names: Int32Array.from(names) };
}
