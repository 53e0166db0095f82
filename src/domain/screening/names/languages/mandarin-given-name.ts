import type { FoldedWord } from '../fold.ts';
import { otherSpellings } from '../korean-in-latin.ts';
import { mandarinFamilies } from '../tables/index.ts';
import { pinyin, syllableSystems, wadeGiles, wadeOf } from './mandarin.ts';

/** How certainly a word is a family name, and in which romanisation systems. */
interface Family {
  systems: number;
  rank: number;
}

/** Ranks of {@link Family}. Words that are not family names have none. */
const [SURE, OTHER] = [2, 1];
const HYPHEN = 3;

let families: ReadonlyMap<string, Family> | undefined;

/** Whether a word may be a Chinese family name in pinyin or Wade–Giles. */
export function isMandarinFamily(text: string): boolean {
  families ??= madeFamilies();
  return families.has(text);
}

/** False for words that {@link withGivenName} leaves unchanged. */
export function mayHaveGivenName(words: readonly { readonly text: string }[]): boolean {
  if (words.length !== 3) return false;
  return isMandarinFamily(words[0]?.text ?? '') || isMandarinFamily(words[2]?.text ?? '');
}

/**
 * Joins the two syllables of the given name in a Chinese name, whichever way they are separated:
 * `Teng Hsiao-p'ing` becomes `Teng Hsiaoping`. Other names are returned unchanged.
 */
export function withGivenName(words: readonly FoldedWord[]): readonly FoldedWord[] {
  const [a, b, c] = words;
  if (!mayHaveGivenName(words) || !a || !b || !c) return words;
  if ([a, b, c].some(({ script }) => script !== 'latin')) return words;
  const [first, last] = [families?.get(a.text), families?.get(c.text)];
  const isFirst = c.isBeforeComma ? false : isFamilyFirst(rankOf(first, c), rankOf(last, b));
  // Either end may be the family name.
  if (isFirst === undefined) return words;
  const [family, before, after] = isFirst ? [first, b, c] : [last, a, b];
  const systems = syllableSystems(before.text) & syllableSystems(after.text);
  if (((family?.systems ?? 0) & systems) === 0) return words;
  if (mayBeKorean(isFirst ? a : c, before, after)) return words;
  const given = { ...before, text: before.text + after.text };
  return isFirst ? [a, given] : [given, c];
}

/** Korean names contain many of the same syllables, but are split differently. */
function mayBeKorean(family: FoldedWord, ...given: readonly FoldedWord[]): boolean {
  if (family.text === FREQUENT || [family, ...given].some(({ text }) => neverKorean.test(text))) {
    return false;
  }
  const isSpelt = ({ text }: FoldedWord) => otherSpellings(text).size > 0;
  return isSpelt(family) && given.some(isSpelt);
}

/** Letters that do not occur in romanised Korean syllables. */
const neverKorean = /^(?:hs|x|q|zh|ts|z)|ao|ian|ien|ieh|iu|uo|uei|[cs]hih$/;

/** The family name of one in fourteen Chinese, but rare in Korea. */
const FREQUENT = 'wang';

/** How certainly a word is the family name. A hyphenated given name at the other end helps. */
function rankOf(family: Family | undefined, end: FoldedWord): number {
  if (family === undefined) return 0;
  return family.rank + (end.isAfterHyphen ? HYPHEN : 0);
}

function isFamilyFirst(first: number, last: number): boolean | undefined {
  return first === last ? undefined : first > last;
}

function madeFamilies(): ReadonlyMap<string, Family> {
  const found = new Map<string, Family>();
  const add = (text: string, system: number, rank: number) => {
    if (text.length < 2) return;
    const known = found.get(text) ?? { systems: 0, rank };
    found.set(text, { systems: known.systems | system, rank: Math.max(known.rank, rank) });
  };
  for (const [at, rank] of [SURE, OTHER].entries()) {
    for (const family of mandarinFamilies[at] ?? []) {
      add(family, pinyin, rank);
      for (const spelling of wadeOf(family)) add(spelling, wadeGiles, rank);
    }
  }
  return found;
}
