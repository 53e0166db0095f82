import { hash } from 'node:crypto';
import type { CompanyKey } from '../keys.ts';
import type { MatchedField, NamePart, PersonQuery } from './name-index.types.ts';

/** Decisions that a person can take about a match. */
export const matchDecisions = ['false_positive', 'confirmed', 'accepted'] as const;

/** One of {@link matchDecisions}. */
export type DecisionKind = (typeof matchDecisions)[number];

/** A list and the version that was searched. */
export interface SearchedList {
  readonly list: string;
  /** Date stated in the list, `YYYY-MM-DD`. */
  readonly publishedDate?: string;
  readonly importedAtMs: number;
  /** SHA-256 of the imported file and of the searched content; empty for the embedded list. */
  readonly sha256: string;
  readonly contentSha256: string;
}

/** A match as recorded for audits, with enough detail to reconstruct its reasons. */
export interface RecordedMatch {
  readonly list: string;
  /** Key of the person on the list. */
  readonly key: string;
  /** SHA-256 of the data by which the listed person is matched. */
  readonly identity: string;
  readonly category: string;
  readonly rate: number;
  readonly nameRate: number;
  readonly nameNumber: number;
  readonly parts: readonly NamePart[];
  readonly matchedFields: readonly MatchedField[];
}

/** Cause of a screening: a request, a new list or engine version, or a customer's periodic one. */
export type ScreeningCause = 'request' | 'list' | 'period';

/** A screening, as stored. */
export interface ScreeningRecord {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** Starts at 1, without gaps. */
  readonly seq: number;
  readonly atMs: number;
  readonly cause: ScreeningCause;
  readonly flowKey?: string;
  readonly customerId?: string;
  readonly query: PersonQuery;
  /** The lowest rate that was reported. */
  readonly matchRate: number;
  /** The lowest rate that is recorded: 60, or less if a lower rate was requested. */
  readonly recordedRate: number;
  readonly lists: readonly SearchedList[];
  readonly engineVersion: string;
  /** Best first, at most 500. */
  readonly matches: readonly RecordedMatch[];
  /** There were more matches than are recorded. */
  readonly isCut?: true;
  /** Random, so that the hash of the row cannot confirm a guess. */
  readonly salt: string;
}

/** Hash before the first row of a chain. */
export const screeningChainStart = '0'.repeat(64);

/** Hash of the row that follows the row with the hash `previous`. `text` is its record as JSON. */
export function screeningHash(previous: string, text: string): string {
  return hash('sha256', `${previous}\n${text}`);
}

/** SHA-256 of the query for a person, ignoring letter case and white space. */
export function subjectHash(query: PersonQuery): string {
  const { firstName, middleName, lastName, originalName, dateOfBirth, gender, countryCode } = query;
  const texts = [firstName, middleName, lastName, originalName].map((text = '') =>
    text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim(),
  );
  const content = [...texts, dateOfBirth ?? '', gender ?? '', countryCode?.toLowerCase() ?? ''];
  return hash('sha256', JSON.stringify(content));
}

/** Both sides of a match. A decision remains valid until either of them changes. */
export interface MatchPair {
  /** {@link subjectHash} */
  readonly subject: string;
  readonly list: string;
  readonly key: string;
  /** SHA-256 of the data by which the listed person is matched. */
  readonly identity: string;
}

/** A decision about a match. */
export interface MatchDecision extends MatchPair {
  readonly id: string;
  readonly companyKey: CompanyKey;
  readonly decision: DecisionKind;
  readonly reason: string;
  /** Who decided, as stated by the caller. */
  readonly by?: string;
  readonly atMs: number;
  readonly screeningId: string;
}

/** A person who is screened periodically. */
export interface Customer {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** Identifier that the company assigned to the customer. */
  readonly reference: string;
  /** National number, digits. Matches are reported to the compliance record with this number. */
  readonly ssn?: string;
  readonly query: PersonQuery;
  readonly level: 'low' | 'medium' | 'high';
  /** Time of the next periodic screening. */
  readonly nextAtMs: number;
  readonly updatedAtMs: number;
  /** A new list or engine version may affect them, so that a screening is due. */
  readonly isConcerned?: boolean;
  /** Absent until the first screening. */
  readonly latest?: LatestScreening;
}

/** Result of the latest screening of a customer. */
export interface LatestScreening {
  readonly screeningId: string;
  readonly atMs: number;
  /** Matches at or above the rate set by the company, best first. */
  readonly matches: readonly LatestMatch[];
}

/** A match of the latest screening of a customer. */
export interface LatestMatch extends MatchPair {
  readonly category: string;
  readonly rate: number;
  /** Name on the list. Absent in records of earlier versions. */
  readonly name?: string;
  /** When the match was first found; every screening since then has found it. */
  readonly sinceMs?: number;
}
