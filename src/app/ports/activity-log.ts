import type { Activity, DailyRoot, PersonalValue } from '../../domain/activity/index.ts';
import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';

/** The log of every process; rows are only ever added. */
export interface ActivityLog {
  /** Seq, hash and time of the newest row; undefined for an empty chain. */
  head(key: ProcessKey): Promise<Pick<Activity, 'seq' | 'hash' | 'createdAtMs'> | undefined>;
  /** As {@link head} for many processes at once; nothing for those that have none. */
  heads(
    keys: readonly ProcessKey[],
  ): Promise<ReadonlyMap<ProcessKey, Pick<Activity, 'seq' | 'hash' | 'createdAtMs'>>>;
  append(
    rows: readonly { readonly row: Activity; readonly personal: readonly PersonalValue[] }[],
  ): Promise<void>;
  rows(key: ProcessKey): Promise<readonly Activity[]>;
  /** The rows of many processes at once, by process; nothing for those that have none. */
  rowsOf(keys: readonly ProcessKey[]): Promise<ReadonlyMap<ProcessKey, readonly Activity[]>>;
  /** Personal values that are not erased, by `seq`. */
  personal(key: ProcessKey): Promise<ReadonlyMap<number, readonly PersonalValue[]>>;
  /** As {@link personal} for many processes at once. */
  personalOf(
    keys: readonly ProcessKey[],
  ): Promise<ReadonlyMap<ProcessKey, ReadonlyMap<number, readonly PersonalValue[]>>>;
  /** @param kept `commitments`: salts of values that the process holds stay */
  erasePersonal(key: ProcessKey, kept?: 'commitments'): Promise<void>;
  /** Hashes of the rows of a company made in [fromMs, toMs), in order of process key and seq. */
  hashesBetween(companyKey: CompanyKey, fromMs: number, toMs: number): Promise<readonly string[]>;
  /** Processes that rows of a company name and that it does not have. */
  orphans(companyKey: CompanyKey, take: number): Promise<readonly ProcessKey[]>;
  /** In the order of their days. @param tokens `none`: without the time-stamps, which are long */
  dailyRoots(companyKey: CompanyKey, tokens?: 'none'): Promise<readonly DailyRoot[]>;
  /** False when the day has a root already, which stays. */
  addDailyRoot(root: Omit<DailyRoot, 'token'>): Promise<boolean>;
  /** Adds the time-stamp to a root that has none; false when it has one, which stays. */
  stampDailyRoot(root: Pick<DailyRoot, 'companyKey' | 'day'>, token: Uint8Array): Promise<boolean>;
  /** Since when the company has had roots without gaps: its making, or an update of the store. */
  rootsFromMs(companyKey: CompanyKey): Promise<number>;
  /** The time of the first row of a company at or after a time. */
  nextRowMs(companyKey: CompanyKey, fromMs: number): Promise<number | undefined>;
}
