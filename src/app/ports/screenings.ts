import type { CompanyKey } from '../../domain/keys.ts';
import type {
  Customer,
  MatchDecision,
  MatchPair,
  ScreeningRecord,
} from '../../domain/screening/index.ts';

/** A row of the audit: its record, and the hash that binds it to the rows before. */
export interface ScreeningRow {
  readonly record: ScreeningRecord;
  /** The record as it was hashed. */
  readonly text: string;
  readonly hash: string;
}

/** A row as it stands in its chain. */
export interface ChainedRow {
  readonly hash: string;
  /** Absent: it cannot be opened, as it was changed. */
  readonly row?: ScreeningRow;
}

/** Screenings of companies, in chains that only grow. All values are encrypted. */
export interface Screenings {
  /** Number and hash of the newest row. */
  last(
    companyKey: CompanyKey,
  ): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  add(row: ScreeningRow): Promise<void>;
  find(companyKey: CompanyKey, id: string): Promise<ScreeningRow | undefined>;
  /** Rows behind `afterSeq` in their order, also those that cannot be opened. */
  chain(companyKey: CompanyKey, afterSeq: number, take: number): Promise<readonly ChainedRow[]>;
  /** Rows behind `afterSeq` in their order. @throws vault.invalid for one that was changed */
  list(companyKey: CompanyKey, afterSeq: number, take: number): Promise<readonly ScreeningRow[]>;
}

/** Decisions about matches; the newest one about a pair counts. */
export interface MatchDecisions {
  add(decision: MatchDecision): Promise<void>;
  /** The newest decision about each of the pairs, at the place of the pair. */
  findAll(
    companyKey: CompanyKey,
    pairs: readonly MatchPair[],
  ): Promise<readonly (MatchDecision | undefined)[]>;
  /** The newest first. */
  list(companyKey: CompanyKey, take: number): Promise<readonly MatchDecision[]>;
}

/** Persons who are screened again and again. */
export interface Customers {
  put(customer: Customer): Promise<void>;
  findByReference(companyKey: CompanyKey, reference: string): Promise<Customer | undefined>;
  findBySsn(companyKey: CompanyKey, ssn: string): Promise<readonly Customer[]>;
  /** In the order of their ids, behind `afterId`. */
  list(companyKey: CompanyKey, afterId: string, take: number): Promise<readonly Customer[]>;
  /** Those whose time has come, the most overdue first. */
  due(companyKey: CompanyKey, nowMs: number, take: number): Promise<readonly Customer[]>;
  /** Time of the next periodic screening of any. */
  nextAtMs(companyKey: CompanyKey): Promise<number | undefined>;
  remove(companyKey: CompanyKey, reference: string): Promise<boolean>;
}
