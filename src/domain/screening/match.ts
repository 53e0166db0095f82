import { foldedName } from '../person/index.ts';
import { type WatchCategory, type WatchEntry, watchCategories } from './entry.ts';

/** Person or organisation to search for in a list. */
interface ScreeningQuery {
  /** The whole name. */
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly dateOfBirth?: string;
  readonly gender?: 'Male' | 'Female';
  /** Two letters; it only adds to what is said, and hides nobody. */
  readonly countryCode?: string;
}

/** Members of an entry that fit the query. */
export type MatchedField = 'name' | 'alias' | 'dateOfBirth' | 'gender' | 'country';

/** An entry that is close enough. */
export interface WatchMatch {
  readonly entry: WatchEntry;
  /** 1 to 100. */
  readonly rate: number;
  readonly matchedFields: readonly MatchedField[];
  /** Codes in their order, joined by a slash. */
  readonly category: string;
}

/** An entry with its names as words, made once for many queries. */
export interface PreparedEntry {
  readonly entry: WatchEntry;
  /** The name first, then aliases. */
  readonly names: readonly (readonly string[])[];
}

/** Answers of one query at most. */
const MATCHES_MAX = 100;
/** Words less alike than this are other words. */
const LEAST_LIKENESS = 0.78;
/** A word of the list that the query lacks weighs this much: middle names are often left out. */
const LEFT_OUT_WEIGHT = 0.25;
const OTHER_BIRTH = 25;
const OTHER_GENDER = 15;

/** Entries made ready for {@link matchEntries}. */
export function prepareEntries(entries: readonly WatchEntry[]): readonly PreparedEntry[] {
  return entries.map((entry) => ({
    entry,
    names: [fullNameOf(entry), ...(entry.aliases ?? [])].map(nameWords),
  }));
}

/** The name of an entry as one text. */
export function fullNameOf({ firstName, middleName, lastName }: WatchEntry): string {
  return [firstName, middleName, lastName].filter((part) => part).join(' ');
}

/** Entries that are at least as close as `leastRate`, closest first. */
export function matchEntries(
  entries: readonly PreparedEntry[],
  query: ScreeningQuery,
  leastRate: number,
): readonly WatchMatch[] {
  const words = nameWords(query.name);
  if (words.length === 0) return [];
  const likeness = rememberedLikeness(words);
  return entries
    .flatMap((prepared) => {
      const rates = prepared.names.map((name) => nameRate(words, name, likeness));
      const best = Math.max(...rates);
      if (best < leastRate) return [];
      const match = weigh(prepared.entry, query, best, rates.indexOf(best) > 0);
      return match.rate >= leastRate ? [match] : [];
    })
    .sort((a, b) => b.rate - a.rate)
    .slice(0, MATCHES_MAX);
}

function weigh(
  entry: WatchEntry,
  { dateOfBirth, gender, countryCode }: ScreeningQuery,
  nameOnly: number,
  isAlias: boolean,
): WatchMatch {
  const matchedFields: MatchedField[] = [isAlias ? 'alias' : 'name'];
  let rate = nameOnly;
  if (dateOfBirth !== undefined && entry.dateOfBirth !== undefined) {
    // A part of a date, from the left, is a date that is not known better.
    if (dateOfBirth.startsWith(entry.dateOfBirth)) matchedFields.push('dateOfBirth');
    else rate -= OTHER_BIRTH;
  }
  if (gender !== undefined && entry.gender !== undefined) {
    if (gender === entry.gender) matchedFields.push('gender');
    else rate -= OTHER_GENDER;
  }
  const country = countryCode?.toUpperCase();
  if (country !== undefined && entry.countries.includes(country)) matchedFields.push('country');
  const category = categoryOf(entry.categories);
  return { entry, rate: Math.max(1, Math.round(rate)), matchedFields, category };
}

/** Codes in the order in which they are joined. */
function categoryOf(categories: readonly WatchCategory[]): string {
  return watchCategories.filter((each) => categories.includes(each)).join('/');
}

// Each word finds its closest one that is still free; longer words weigh more.
function nameRate(
  query: readonly string[],
  name: readonly string[],
  likeness: (at: number, word: string) => number,
): number {
  const free = new Set(name.keys());
  let found = 0;
  let whole = 0;
  query.forEach((word, at) => {
    let best = { at: -1, value: LEAST_LIKENESS };
    for (const each of free) {
      const value = likeness(at, name[each] as string);
      if (value > best.value) best = { at: each, value };
    }
    whole += word.length;
    if (best.at < 0) return;
    free.delete(best.at);
    found += word.length * best.value;
  });
  for (const each of free) whole += (name[each] as string).length * LEFT_OUT_WEIGHT;
  return whole === 0 ? 0 : (100 * found) / whole;
}

// Lists repeat their words: each is compared with the query once.
function rememberedLikeness(query: readonly string[]): (at: number, word: string) => number {
  const known = query.map(() => new Map<string, number>());
  return (at, word) => {
    const seen = known[at] as Map<string, number>;
    let value = seen.get(word);
    if (value === undefined) {
      value = wordLikeness(query[at] as string, word);
      seen.set(word, value);
    }
    return value;
  };
}

/** Words of one name that are compared at most. */
const WORDS_MAX = 12;
const CHARACTERS_MAX = 200;

/** A name as words that are compared: lower case, without marks, in basic letters. */
export function nameWords(name: string): readonly string[] {
  const basic = foldedName(name.slice(0, CHARACTERS_MAX), /\p{M}+/gu);
  return (basic.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
}

/**
 * The similarity of two words, 0 to 1: the share of letters at nearly the same position, with a
 * bonus for the same beginning (Jaro and Winkler).
 */
export function wordLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Array<boolean>(b.length).fill(false);
  const matchedA: string[] = [];
  for (let i = 0; i < a.length; i++) {
    const end = Math.min(b.length, i + reach + 1);
    for (let j = Math.max(0, i - reach); j < end; j++) {
      if (taken[j] === true || a[i] !== b[j]) continue;
      taken[j] = true;
      matchedA.push(a[i] as string);
      break;
    }
  }
  const count = matchedA.length;
  if (count === 0) return 0;
  const matchedB = pick(b, taken);
  const swapped = matchedA.filter((letter, at) => letter !== matchedB[at]).length / 2;
  const jaro = (count / a.length + count / b.length + (count - swapped) / count) / 3;
  let head = 0;
  while (head < 4 && head < a.length && a[head] === b[head]) head += 1;
  return jaro + head * 0.1 * (1 - jaro);
}

function pick(text: string, taken: readonly boolean[]): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (taken[at] === true) found.push(text[at] as string);
  }
  return found;
}
