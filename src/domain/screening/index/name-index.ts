import type { ListedIdentity } from '../listed-person.ts';
import type {
  MatchedField,
  NameIndex,
  PersonMatch,
  PersonQuery,
  SearchOptions,
} from '../name-index.types.ts';
import { besideLatin, compareWords, isLatin } from '../names/compare.ts';
import { hasWords, namesOf, type Unread, unreadIn, wordsOf } from '../names/words.ts';
import { buildArrays, packedDate } from './build.ts';
import { engineVersion } from './engine.ts';
import { type Evidence, weighEvidence } from './evidence.ts';
import { explain } from './explain.ts';
import { type IndexArrays, nameFlag } from './layout.ts';
import { NameSearch } from './search/index.ts';
import { parseArrays, serializeArrays } from './serialize.ts';
import { Vocabulary } from './vocabulary.ts';
import { type WordRarity, wordRarity } from './word-rarity.ts';

/** Minimum similarity for a weak alias to count: the name must be the same. */
export const SAME = 0.985;
/** Maximum points that evidence can add. Names further below the requested rate cannot reach it. */
const POINTS_MAX = 3;

/** Parses an index from the bytes of {@link serializeNames}. @throws blob.corrupt */
export function parseNameIndex(bytes: Uint8Array): WeighedIndex {
  return openNameIndex(parseArrays(bytes));
}

/**
 * Builds and serializes the index of the names of persons, who are numbered by position.
 *
 * @throws limit.exceeded for more than two million distinct words
 */
export function serializeNames(persons: Iterable<ListedIdentity>): Uint8Array {
  return serializeArrays(buildArrays(persons));
}

/** An index that also provides the rarity of its words. */
export interface WeighedIndex extends NameIndex {
  readonly rarity: WordRarity;
}

function openNameIndex(arrays: IndexArrays): WeighedIndex {
  let known: Opened | undefined;
  // Built on the first search: another thread may do all the searching.
  const opened = () => {
    known ??= openArrays(arrays);
    return known;
  };
  return {
    personCount: arrays.personFlags.length,
    nameCount: arrays.namePerson.length,
    engineVersion,
    rarity: wordRarity(arrays),
    search: (query, options) => searchPersons(opened(), query, options),
  };
}

function openArrays(arrays: IndexArrays): Opened {
  const vocabulary = new Vocabulary(arrays);
  return { arrays, vocabulary, search: new NameSearch(arrays, vocabulary) };
}

/**
 * Builds the index of the names of persons, who are numbered by position.
 *
 * @throws limit.exceeded for more than two million distinct words
 */
export function buildNameIndex(persons: Iterable<ListedIdentity>): WeighedIndex {
  return openNameIndex(buildArrays(persons));
}

interface Opened {
  readonly arrays: IndexArrays;
  readonly vocabulary: Vocabulary;
  readonly search: NameSearch;
}

/** The best matching name of a person. */
interface Found {
  readonly person: number;
  readonly name: number;
  readonly likeness: number;
  readonly rate: number;
  readonly evidence: Evidence;
}

function searchPersons(
  opened: Opened,
  query: PersonQuery,
  { leastRate, limit }: SearchOptions,
): readonly PersonMatch[] {
  const { arrays, search } = opened;
  const text = textOf(query);
  const birth = query.dateOfBirth === undefined ? undefined : packedDate(query.dateOfBirth);
  const least = (leastRate - POINTS_MAX - 0.5) / 100;
  const best = new Map<number, Found>();
  for (const { name, likeness } of search.find(text, least)) {
    const flags = arrays.nameFlags[name] as number;
    if ((flags & nameFlag.weak) !== 0 && likeness < SAME) continue;
    const person = arrays.namePerson[name] as number;
    const known = best.get(person);
    if (known !== undefined && known.likeness >= likeness) continue;
    const evidence = known?.evidence ?? weighEvidence(arrays, person, query, birth);
    best.set(person, { person, name, likeness, rate: rateOf(likeness, evidence), evidence });
  }
  return [...best.values()]
    .filter(({ rate }) => rate >= leastRate)
    .sort(byRate)
    .slice(0, limit)
    .map((found) => matchOf(opened, text, found));
}

/** The full name of a query. */
export function textOf({
  originalName = '',
  firstName = '',
  middleName = '',
  lastName = '',
}: PersonQuery): string {
  return originalName.trim() === '' ? `${firstName} ${middleName} ${lastName}` : originalName;
}

/** Whether the query has a name to search for; digits alone are not a name. */
export function hasName(query: PersonQuery): boolean {
  const text = textOf(query);
  return /\p{L}/u.test(text) && hasWords(text);
}

/** The parts of the query's name that the search ignores. */
export function unreadOf(query: PersonQuery): readonly Unread[] {
  return unreadIn(textOf(query));
}

function rateOf(likeness: number, { points, isContradicted }: Evidence): number {
  const isWhole = likeness === 1 && !isContradicted;
  const rate = Math.round(100 * likeness + (likeness === 1 ? Math.min(0, points) : points));
  return Math.max(1, Math.min(isWhole ? 100 : 99, rate));
}

function byRate(a: Found, b: Found): number {
  return (
    b.rate - a.rate ||
    b.evidence.agreeing - a.evidence.agreeing ||
    b.likeness - a.likeness ||
    a.person - b.person
  );
}

function matchOf({ arrays, vocabulary }: Opened, text: string, found: Found): PersonMatch {
  const { person, name, likeness, rate, evidence } = found;
  const { parts, ways } = explain(arrays, vocabulary, text, name);
  const flags = arrays.nameFlags[name] as number;
  const fields: MatchedField[] = [
    (flags & nameFlag.weak) !== 0 ? 'weakAlias' : (flags & nameFlag.alias) !== 0 ? 'alias' : 'name',
    ...((flags & nameFlag.originalScript) !== 0 ? (['originalScript'] as const) : []),
    ...ways,
    ...evidence.fields,
  ];
  return {
    number: person,
    rate,
    nameRate: Math.round(100 * likeness),
    nameNumber: name - (arrays.personStart[person] as number),
    parts,
    matchedFields: fields,
  };
}

/**
 * The rate of one person for a query, 0 to 100, as if the person were the only one on a list. All
 * names are compared, however dissimilar.
 */
export function comparePerson(query: PersonQuery, person: ListedIdentity): number {
  const { dateOfBirth } = query;
  const birth = dateOfBirth === undefined ? undefined : packedDate(dateOfBirth);
  const evidence = weighEvidence(buildArrays([person]), 0, query, birth);
  const best = Math.max(0, ...namesOf(textOf(query)).map((name) => mostAlike(name, person)));
  return best === 0 ? 0 : rateOf(best, evidence);
}

/** Similarity of a name to the most similar name of a person. */
function mostAlike(name: string, person: ListedIdentity): number {
  const words = wordsOf(name);
  if (words.length === 0) return 0;
  const names = person.names.map(({ text, isWeak }) => ({ isWeak, listed: wordsOf(text) }));
  const isLatinQuery = isLatin(words) && names.some(({ listed }) => isLatin(listed));
  const rates = names.map(({ listed, isWeak }) => {
    const alike = compareWords(words, listed);
    const likeness = isLatinQuery && !isLatin(listed) ? besideLatin(alike) : alike;
    return isWeak === true && likeness < SAME ? 0 : likeness;
  });
  return Math.max(0, ...rates);
}
