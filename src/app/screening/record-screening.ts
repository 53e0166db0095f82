import type { CompanyKey } from '../../domain/keys.ts';
import {
  identityHash,
  type ListVersion,
  type MatchDecision,
  type MatchPair,
  type PersonMatch,
  type PersonQuery,
  type RecordedMatch,
  type ScreeningCause,
  type ScreeningRecord,
  type SearchedList,
  type SearchOptions,
  screeningChainStart,
  screeningHash,
  subjectHash,
} from '../../domain/screening/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { categoryOf, type OpenedLists, type PersonOfList } from './lists/index.ts';

/** Matches of this rate or higher are always recorded, whatever the requested rate. */
const RECORDED_RATE = 60;
/** Maximum number of matches of one screening. */
const MATCHES_MAX = 500;

/** The query of a screening, and its cause. */
export interface ScreeningQuestion {
  readonly query: PersonQuery;
  readonly matchRate: number;
  readonly cause: ScreeningCause;
  readonly flowKey?: string;
  readonly customerId?: string;
}

/** A screening that has not yet been appended to the chain. */
export type FoundPersons = Omit<ScreeningRecord, 'id' | 'companyKey' | 'seq' | 'atMs' | 'salt'>;

/** Result of a search. The persons are in the order of the matches. */
export interface SearchedPerson {
  readonly found: FoundPersons;
  readonly persons: readonly PersonOfList[];
}

/** Searches the lists. The same query and lists yield the same matches, byte by byte. */
export function searchPerson(question: ScreeningQuestion, lists: OpenedLists): SearchedPerson {
  return foundBy(question, lists, lists.index.search(question.query, optionsOf(question)));
}

/** Like {@link searchPerson}, in a worker thread if there is one. */
export async function searchPersonInThread(
  question: ScreeningQuestion,
  lists: OpenedLists,
): Promise<SearchedPerson> {
  return foundBy(question, lists, await lists.search(question.query, optionsOf(question)));
}

function optionsOf({ matchRate }: ScreeningQuestion): SearchOptions {
  return { leastRate: Math.min(RECORDED_RATE, matchRate), limit: MATCHES_MAX };
}

function foundBy(
  question: ScreeningQuestion,
  lists: OpenedLists,
  near: readonly PersonMatch[],
): SearchedPerson {
  const recordedRate = optionsOf(question).leastRate;
  const persons = near.map(({ number }) => lists.person(number));
  const matches = near.map((match, at): RecordedMatch => {
    const { person, list } = persons[at] as PersonOfList;
    const { rate, nameRate, nameNumber, parts, matchedFields } = match;
    return {
      list: list.list,
      key: person.key,
      identity: identityHash(person),
      category: categoryOf(person),
      ...{ rate, nameRate, nameNumber, parts, matchedFields },
    };
  });
  const found = {
    ...question,
    ...{ recordedRate, lists: lists.versions.map(searchedList) },
    ...{ engineVersion: lists.index.engineVersion, matches },
    ...(near.length === MATCHES_MAX ? { isCut: true as const } : {}),
  };
  return { found, persons };
}

function searchedList(version: ListVersion): SearchedList {
  const { list, publishedDate, importedAtMs, sha256, contentSha256 = '' } = version;
  const published = publishedDate === undefined ? {} : { publishedDate };
  return { list, ...published, importedAtMs, sha256, contentSha256 };
}

/** Appends screenings to the chain of their company. */
export async function appendScreenings(
  unit: StoreUnit,
  ports: { now(): number; random(count: number): Uint8Array },
  companyKey: CompanyKey,
  all: readonly FoundPersons[],
): Promise<readonly ScreeningRecord[]> {
  await unit.companies.lock(companyKey);
  let { seq, hash } = (await unit.screenings.last(companyKey)) ?? {
    seq: 0,
    hash: screeningChainStart,
  };
  const records: ScreeningRecord[] = [];
  for (const found of all) {
    seq += 1;
    const atMs = ports.now();
    const id = orderedId(atMs, ports.random(10));
    // Without the key, the hashes alone cannot be used to confirm a guess.
    const salt = Buffer.from(ports.random(16)).toString('hex');
    const record: ScreeningRecord = { id, companyKey, seq, atMs, salt, ...found };
    const text = JSON.stringify(record);
    hash = screeningHash(hash, text);
    await unit.screenings.add({ record, text, hash });
    records.push(record);
  }
  return records;
}

/**
 * An ID of 32 hexadecimal digits. The first twelve encode the time, so that rows of the same time
 * are adjacent in an index and are written together.
 */
function orderedId(atMs: number, random: Uint8Array): string {
  return atMs.toString(16).padStart(12, '0') + Buffer.from(random).toString('hex');
}

/** The person and the list entry of each match of a screening. */
export function pairsOf({ query, matches }: FoundPersons): readonly MatchPair[] {
  const subject = subjectHash(query);
  return matches.map(({ list, key, identity }) => ({ subject, list, key, identity }));
}

/** The applicable decisions, in the order of the matches. */
export function decisionsOn(
  unit: StoreUnit,
  companyKey: CompanyKey,
  found: FoundPersons,
): Promise<readonly (MatchDecision | undefined)[]> {
  return unit.matchDecisions.findAll(companyKey, pairsOf(found));
}
