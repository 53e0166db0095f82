import type { CompanyKey } from '../../domain/keys.ts';
import type {
  Customer,
  MatchDecision,
  MatchPair,
  ScreeningRecord,
} from '../../domain/screening/index.ts';

/** A row of the audit log: its record, and the hash that binds it to the preceding rows. */
export interface ScreeningRow {
  readonly record: ScreeningRecord;
  /** The hashed text of the record. */
  readonly text: string;
  readonly hash: string;
}

/** A row at its position in the chain. */
export interface ChainedRow {
  readonly hash: string;
  /** Undefined if the row was altered and cannot be decrypted. */
  readonly row?: ScreeningRow;
}

/** Screenings of companies, in append-only chains. All values are encrypted. */
export interface Screenings {
  /** Number and hash of the newest row. */
  last(
    companyKey: CompanyKey,
  ): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  add(row: ScreeningRow): Promise<void>;
  find(companyKey: CompanyKey, id: string): Promise<ScreeningRow | undefined>;
  /** Rows following `afterSeq` in chain order, including those that cannot be decrypted. */
  chain(companyKey: CompanyKey, afterSeq: number, take: number): Promise<readonly ChainedRow[]>;
  /** Rows following `afterSeq` in chain order. @throws vault.invalid if a row was altered */
  list(companyKey: CompanyKey, afterSeq: number, take: number): Promise<readonly ScreeningRow[]>;
}

/** Decisions about matches. The newest one about a pair applies. */
export interface MatchDecisions {
  add(decision: MatchDecision): Promise<void>;
  /** The newest decision about each pair, at the index of the pair. */
  findAll(
    companyKey: CompanyKey,
    pairs: readonly MatchPair[],
  ): Promise<readonly (MatchDecision | undefined)[]>;
  /** Newest first. */
  list(companyKey: CompanyKey, take: number): Promise<readonly MatchDecision[]>;
}

/** Persons who are screened periodically. */
export interface Customers {
  put(customer: Customer): Promise<void>;
  findByReference(companyKey: CompanyKey, reference: string): Promise<Customer | undefined>;
  findBySsn(companyKey: CompanyKey, ssn: string): Promise<readonly Customer[]>;
  /** Customers following `afterId`, in the order of their IDs. */
  list(companyKey: CompanyKey, afterId: string, take: number): Promise<readonly Customer[]>;
  /** Customers whose screening is due, the most overdue first. */
  due(companyKey: CompanyKey, nowMs: number, take: number): Promise<readonly Customer[]>;
  /** Time of the next periodic screening of any customer. */
  nextAtMs(companyKey: CompanyKey): Promise<number | undefined>;
  remove(companyKey: CompanyKey, reference: string): Promise<boolean>;
}
