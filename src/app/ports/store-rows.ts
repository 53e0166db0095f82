import type { Activity, DailyRoot, PersonalValue } from '../../domain/activity/index.ts';
import type { AccessToken, LoginSession, LookupType } from '../../domain/auth/index.ts';
import type { QuotaName } from '../../domain/company.ts';
import type { CompanyKey, FlowKey, ProcessKey } from '../../domain/keys.ts';
import type { Tally } from '../../domain/login-bounds.ts';

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
   * Writes the fact if the value is `expected` (undefined: none). Of several simultaneous calls one
   * returns true; the others return false, and change nothing.
   */
  swap(name: string, expected: string | undefined, next: string, nowMs: number): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Something that is encrypted, with its context: a key that opens it is the right one. */
  sealedSample(): Promise<{ readonly sealed: string; readonly context: string } | undefined>;
}

/** A content that nothing referred to when it was looked at. */
interface OrphanMark {
  readonly sha256: string;
  readonly markedAtMs: number;
}

/** The register of stored contents, by their digests. */
export interface ContentNames {
  /** Contents that a process needs: documents, attachments, and every earlier revision. */
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

/** Engine and version of a store. */
export interface StoreHealth {
  readonly engine: 'sqlite' | 'postgresql';
  readonly schemaVersion: number;
  readonly version: string;
  /** Epoch milliseconds of a server, which has a clock of its own. */
  readonly nowMs?: number;
}

/** A count of what a company has used. */
export interface QuotaCount {
  readonly companyKey: CompanyKey;
  /**
   * A quota, the part of one that forms have used, or what takes nothing of one: mails that links
   * have caused, look-ups of persons.
   */
  readonly what: QuotaName | `form:${QuotaName}` | 'linkMailsPerRecipient' | `lookup:${LookupType}`;
  /** `YYYY-MM-DD`; empty for what has no day, such as stored bytes. */
  readonly day: string;
}

/** Counters of the quotas used by companies. */
export interface QuotaUses {
  /**
   * Adds to a count. It is kept in parts, so that those who add at one time do not wait for each
   * other; a part is known by a digest.
   */
  add(count: QuotaCount, part: string, amount: number): Promise<void>;
  /** The amount used, for all parts or for one. */
  used(count: QuotaCount, part?: string): Promise<number>;
  /** Forgets the days of a company before `day`. */
  removeBefore(companyKey: CompanyKey, day: string): Promise<void>;
}

/** Counters of actions by or for a person; their names are not in the database. */
export interface Tallies {
  /** The tally of `subject`; empty without a row. */
  find(subject: string): Promise<Tally>;
  /** As {@link find}; others who lock it wait until this transaction ends. */
  lock(subject: string): Promise<Tally>;
  /** Writes what was locked. */
  save(subject: string, tally: Tally, forgottenAtMs: number): Promise<void>;
  removeForgotten(nowMs: number): Promise<number>;
}

/** Origins whose pages may read answers about a company. */
export interface Origins {
  /** Origins of a company, the oldest first. */
  list(companyKey: CompanyKey): Promise<readonly string[]>;
  /** True if `companyKey` has registered it; left out: if any company has. */
  has(origin: string, companyKey?: string): Promise<boolean>;
  /** Adds one; nothing happens when it is there. */
  put(companyKey: CompanyKey, origin: string, nowMs: number): Promise<void>;
  /** False when it was not there. */
  remove(companyKey: CompanyKey, origin: string): Promise<boolean>;
}

/** Logins of persons; who answered is kept encrypted. */
export interface LoginSessions {
  add(session: LoginSession): Promise<void>;
  find(key: string): Promise<LoginSession | undefined>;
  /** As {@link find}; other writers of this login wait until this transaction ends. */
  lock(key: string): Promise<LoginSession | undefined>;
  save(session: LoginSession): Promise<void>;
  /** Removes those that were started before. */
  removeOld(startedBeforeMs: number): Promise<number>;
}

/** Tokens that open places of signees. */
export interface AccessTokens {
  /** Adds it; one that is there already stays as it is. */
  put(token: AccessToken): Promise<void>;
  find(sha256: string): Promise<AccessToken | undefined>;
  removeExpired(nowMs: number): Promise<number>;
}

/** Times of the last polls, by the clock of leases ({@link Store.claimJobs}). */
export interface PollTimes {
  /**
   * Notes a poll of `key`, unless the last one is less than `gapMs` ago: then the result is the
   * number of milliseconds until the next one, and nothing changes. Of simultaneous polls one
   * returns 0.
   */
  take(key: string, gapMs: number): Promise<number>;
  /** Forgets the poll of `key`: the next one need not wait. */
  release(key: string): Promise<void>;
  /** Milliseconds since the last poll. */
  ageMs(key: string): Promise<number | undefined>;
  /** Forgets polls of which the last is longer ago. */
  removeOld(ageMs: number): Promise<number>;
}

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
  /**
   * Time since which the company has roots without gaps, in epoch milliseconds: its creation, or an
   * update of the store.
   */
  rootsFromMs(companyKey: CompanyKey): Promise<number>;
  /** The time of the first row of a company at or after a time. */
  nextRowMs(companyKey: CompanyKey, fromMs: number): Promise<number | undefined>;
}

/** A form that somebody has begun to fill in. */
export interface KeptDraft {
  /** Digest of the name that the browser has. */
  readonly key: string;
  readonly flowKey: FlowKey;
  readonly forgottenAtMs: number;
  readonly text: string;
}

/** Answers to forms that are not sent yet. */
export interface FormDrafts {
  /** What is kept under `key`, and not forgotten at `nowMs`. */
  find(key: string, nowMs: number): Promise<KeptDraft | undefined>;
  /** As {@link find}; others who lock it wait until this transaction ends. */
  lock(key: string, flowKey: FlowKey, nowMs: number): Promise<KeptDraft | undefined>;
  /** Writes what was locked. */
  save(draft: KeptDraft): Promise<void>;
  remove(key: string): Promise<void>;
  removeForgotten(nowMs: number): Promise<number>;
  /** Removes all drafts of a flow but the `count` that were saved last. */
  removeBeyond(flowKey: FlowKey, count: number): Promise<number>;
}

/** Answers that are given again to a request that comes twice. */
export interface IdempotencyKeys {
  /** Takes the name for a request that begins, for `heldMs`; false when it is taken. */
  claim(mark: AnswerMark, heldMs: number): Promise<boolean>;
  /** The stored answer of the name; it is locked until this transaction ends. */
  lock(companyKey: CompanyKey, key: string): Promise<KeptAnswer | undefined>;
  /** Gives the name to the request of `mark`, in the place of the one that holds it. */
  takeOver(mark: AnswerMark, heldMs: number): Promise<void>;
  /**
   * Notes, in the transaction of its work, how many transactions of the request are done. False
   * when the name is no longer held by this request: then its work must not be done either.
   */
  advance(mark: AnswerHold, steps: number): Promise<boolean>;
  /** Holds the name for `heldMs` from now on. */
  renew(mark: AnswerHold, heldMs: number): Promise<void>;
  /** Keeps the answer, as text, for the request that holds the name. */
  keep(mark: AnswerHold, answer: string): Promise<void>;
  /** Frees the name, when this request holds it. */
  remove(mark: AnswerHold): Promise<void>;
  removeOld(createdBeforeMs: number): Promise<number>;
}

/** Holder of an idempotency key. */
export interface AnswerHold {
  readonly companyKey: CompanyKey;
  readonly key: string;
  /** Unpredictable, and of one request only. */
  readonly owner: string;
}

/** A request that its sender has given a name. */
export interface AnswerMark extends AnswerHold {
  /** SHA-256 of method, address and body. */
  readonly requestHash: string;
  readonly createdAtMs: number;
}

/** Stored answer of an idempotency key. */
export interface KeptAnswer extends AnswerMark {
  /**
   * Time for which the name is still held, by the clock of leases ({@link Store.claimJobs}): a
   * program that lives renews it until the request has its answer.
   */
  readonly leftMs: number;
  /** Transactions of the request that are written. */
  readonly steps: number;
  readonly answer?: string;
}
