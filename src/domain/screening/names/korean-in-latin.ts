import { spellingsUpTo, syllablesOf } from './korean.ts';
import { families, givenSyllables } from './tables/index.ts';

/** Maximum rarity of a spelling, in hundredths: rarer ones also spell other words. */
const RAREST = 2;
/** Deduction for comparing two romanisations of a syllable instead of one with Hangul. */
const DOUBT = 0.04;

interface Tables {
  /** For each Latin word: the syllables it may be, and how common it is for each. */
  readonly syllables: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** Results of {@link otherSpellings}. */
  readonly beside: Map<string, ReadonlySet<string>>;
}

let tables: Tables | undefined;

/** Other romanisations of the Korean syllables that a word may be; empty for most words. */
export function otherSpellings(word: string): ReadonlySet<string> {
  tables ??= madeTables();
  const syllables = tables.syllables.get(word);
  if (syllables === undefined) return none;
  const known = tables.beside.get(word);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const syllable of syllables.keys()) {
    for (const other of tables.spellings.get(syllable) ?? []) if (other !== word) found.add(other);
  }
  tables.beside.set(word, found);
  return found;
}

/** Similarity of two spellings that may be of the same syllable; otherwise 0. */
export function likenessOfSpellings(one: string, other: string): number {
  tables ??= madeTables();
  const ofOne = tables.syllables.get(one);
  const ofOther = ofOne && tables.syllables.get(other);
  if (ofOne === undefined || ofOther === undefined) return 0;
  let best = 0;
  for (const [syllable, usual] of ofOne) {
    const both = usual + (ofOther.get(syllable) ?? Number.NEGATIVE_INFINITY);
    if (both > best) best = both;
  }
  return best === 0 ? 0 : best / 2 - DOUBT;
}

function madeTables(): Tables {
  const syllables = new Map<string, Map<string, number>>();
  const spellings = new Map<string, readonly string[]>();
  const all = [...families].flatMap(syllablesOf).concat(givenSyllables);
  for (const syllable of new Set(all)) {
    const usual = spellingsUpTo(syllable, RAREST);
    for (const [text, alike] of usual) {
      const known = syllables.get(text) ?? new Map<string, number>();
      syllables.set(text, known.set(syllable, alike));
    }
    spellings.set(syllable, [...usual.keys()]);
  }
  return { syllables, spellings, beside: new Map() };
}

const none: ReadonlySet<string> = new Set();
