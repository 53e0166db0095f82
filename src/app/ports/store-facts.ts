import type { QuotaName } from '../../domain/company/index.ts';
import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';

/** A fact about the store as a whole, such as its id. */
export interface StoreFact {
  readonly name: string;
  readonly value: string;
  readonly createdAtMs: number;
}

/** Facts about the store as a whole, by name. They are not encrypted. */
export interface StoreFacts {
  find(name: string): Promise<string | undefined>;
  /** Facts whose names begin with `prefix`, in the order of their names. */
  list(prefix: string): Promise<readonly StoreFact[]>;
  /** Adds the fact unless the name is taken, and gives the value that stands. */
  putOnce(name: string, value: string, nowMs: number): Promise<string>;
  /** Writes the fact, in the place of the one of that name. */
  put(name: string, value: string, nowMs: number): Promise<void>;
  /**
   * Writes the fact if the value is `expected` (undefined: none). Of several at one time one gets
   * true; the others get false, and change nothing.
   */
  swap(name: string, expected: string | undefined, next: string, nowMs: number): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Something that is encrypted, with its context: a key that opens it is the right one. */
  sealedSample(): Promise<{ readonly sealed: string; readonly context: string } | undefined>;
}

/** A content that nothing referred to when it was looked at. */
export interface OrphanMark {
  readonly sha256: string;
  readonly markedAtMs: number;
}

/** What the database knows of stored contents, by their digests. */
export interface ContentNames {
  /** All that a process needs: documents, attachments, and every earlier revision. */
  ofProcess(key: ProcessKey): Promise<readonly string[]>;
  /**
   * Contents that processes and flows stand on, in the order of their digests; of earlier
   * revisions nothing. Digests are spread evenly, so these are a sample of all.
   *
   * @param from the first digest or a begin of it; empty for the first of all
   */
  sample(take: number, from: string): Promise<readonly string[]>;
  /** Marks contents as orphans of this store; an earlier mark stays. */
  markOrphans(storeId: string, sha256s: readonly string[], nowMs: number): Promise<void>;
  /** Removes the marks of these contents. */
  unmarkOrphans(sha256s: readonly string[]): Promise<void>;
  /** Removes every mark, or those that are as old or older. */
  unmarkAll(markedUntilMs?: number): Promise<void>;
  /** Marks of a store on these contents. */
  marksOf(storeId: string, sha256s: readonly string[]): Promise<readonly OrphanMark[]>;
  /** Marks of a store that are as old or older. */
  countOrphans(storeId: string, markedUntilMs: number): Promise<number>;
}

/** What the engine of a store is. */
export interface StoreHealth {
  readonly engine: 'sqlite' | 'postgresql';
  readonly schemaVersion: number;
  readonly version: string;
}

/** A count of what a company has used. */
export interface QuotaCount {
  readonly companyKey: CompanyKey;
  /** A quota, or the mails that links have caused, which take nothing of one. */
  readonly what: QuotaName | 'linkMailsPerRecipient';
  /** `YYYY-MM-DD`; empty for what has no day, such as stored bytes. */
  readonly day: string;
}

/** What companies have used of their quotas. */
export interface QuotaUses {
  /**
   * Adds to a count. It is kept in parts, so that those who add at one time do not wait for each
   * other; a part is known by a digest.
   */
  add(count: QuotaCount, part: string, amount: number): Promise<void>;
  /** What was used, of all parts or of one. */
  used(count: QuotaCount, part?: string): Promise<number>;
  /** Forgets the days of a company before `day`. */
  removeBefore(companyKey: CompanyKey, day: string): Promise<void>;
}
