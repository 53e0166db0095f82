import { hash } from 'node:crypto';
import type { CompanyKey } from '../keys.ts';
import type { MatchedField, NamePart, PersonQuery } from './name-index.types.ts';

/** What a person has decided about a match. */
export const matchDecisions = ['false_positive', 'confirmed', 'accepted'] as const;

/** One of {@link matchDecisions}. */
export type DecisionKind = (typeof matchDecisions)[number];

/** A list as it was searched. */
export interface SearchedList {
  readonly list: string;
  /** `YYYY-MM-DD` that the list states. */
  readonly publishedDate?: string;
  readonly importedAtMs: number;
  /** SHA-256 of the imported file and of the searched content; empty for the embedded list. */
  readonly sha256: string;
  readonly contentSha256: string;
}

/** A match in the words of the audit: enough to show again why it came. */
export interface RecordedMatch {
  readonly list: string;
  /** Key of the person on the list. */
  readonly key: string;
  /** SHA-256 of what the listed person is matched by. */
  readonly identity: string;
  readonly category: string;
  readonly rate: number;
  readonly nameRate: number;
  readonly nameNumber: number;
  readonly parts: readonly NamePart[];
  readonly matchedFields: readonly MatchedField[];
}

/** Cause of a screening: a request, a new list or engine, or the period of a customer. */
export type ScreeningCause = 'request' | 'list' | 'period';

/** A screening, as it is kept. */
export interface ScreeningRecord {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** From 1 on, without gaps. */
  readonly seq: number;
  readonly atMs: number;
  readonly cause: ScreeningCause;
  readonly flowKey?: string;
  readonly customerId?: string;
  readonly query: PersonQuery;
  /** The lowest rate that was shown. */
  readonly matchRate: number;
  /** The lowest rate that is recorded: 60, or less where less was asked for. */
  readonly recordedRate: number;
  readonly lists: readonly SearchedList[];
  readonly engineVersion: string;
  /** Best first, 500 at most. */
  readonly matches: readonly RecordedMatch[];
  /** There were more matches than are recorded. */
  readonly isCut?: true;
  /** Random, so that the hash of the row confirms no guess. */
  readonly salt: string;
}

/** Hash before the first row of a chain. */
export const screeningChainStart = '0'.repeat(64);

/** Hash of a row that follows the row with the hash `previous`; `text` is its record in JSON. */
export function screeningHash(previous: string, text: string): string {
  return hash('sha256', `${previous}\n${text}`);
}

/** SHA-256 of what a person is looked for by, whatever the letter case and blanks. */
export function subjectHash(query: PersonQuery): string {
  const { firstName, middleName, lastName, originalName, dateOfBirth, gender, countryCode } = query;
  const texts = [firstName, middleName, lastName, originalName].map((text = '') =>
    text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim(),
  );
  const content = [...texts, dateOfBirth ?? '', gender ?? '', countryCode?.toLowerCase() ?? ''];
  return hash('sha256', JSON.stringify(content));
}

/** Both sides of a match: a decision counts as long as neither is another. */
export interface MatchPair {
  /** {@link subjectHash} */
  readonly subject: string;
  readonly list: string;
  readonly key: string;
  /** SHA-256 of what the listed person is matched by. */
  readonly identity: string;
}

/** A decision about a match. */
export interface MatchDecision extends MatchPair {
  readonly id: string;
  readonly companyKey: CompanyKey;
  readonly decision: DecisionKind;
  readonly reason: string;
  /** Who decided, as the caller says. */
  readonly by?: string;
  readonly atMs: number;
  readonly screeningId: string;
}

/** A person who is screened again and again. */
export interface Customer {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** Number that the company gave the customer. */
  readonly reference: string;
  /** National number, digits: the compliance record of the same number hears of matches. */
  readonly ssn?: string;
  readonly query: PersonQuery;
  readonly level: 'low' | 'medium' | 'high';
  /** Time of the next periodic screening. */
  readonly nextAtMs: number;
  readonly updatedAtMs: number;
  /** A new version of a list, or a new engine, may concern them: this makes them due. */
  readonly isConcerned?: boolean;
  /** Absent until the first screening. */
  readonly latest?: LatestScreening;
}

/** Result of the latest screening of a customer. */
export interface LatestScreening {
  readonly screeningId: string;
  readonly atMs: number;
  /** Matches as close as the company asks for, best first. */
  readonly matches: readonly LatestMatch[];
}

/** A match of the latest screening of a customer. */
export interface LatestMatch extends MatchPair {
  readonly category: string;
  readonly rate: number;
  /** Name on the list; absent in records of earlier versions. */
  readonly name?: string;
  /** When the match was first found; every screening since has found it. */
  readonly sinceMs?: number;
}
