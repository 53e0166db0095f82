import type { Activity, DailyRoot, PersonalValue } from '../../domain/activity/index.ts';
import type { AccessToken, LoginSession, LookupType } from '../../domain/auth/index.ts';
import type { QuotaName } from '../../domain/company.ts';
import type { CompanyKey, FlowKey, ProcessKey } from '../../domain/keys.ts';
import type { Tally } from '../../domain/login-bounds.ts';

/** A fact about the store as a whole, such as its ID. */
export interface StoreFact {
  readonly name: string;
  readonly value: string;
  readonly createdAtMs: number;
}

/** Facts about the store as a whole, by name. They are not encrypted. */
export interface StoreFacts {
  find(name: string): Promise<string | undefined>;
  /** Facts whose names start with `prefix`, in the order of their names. */
  list(prefix: string): Promise<readonly StoreFact[]>;
  /** Adds the fact unless the name exists. Returns the stored value. */
  putOnce(name: string, value: string, nowMs: number): Promise<string>;
  /** Writes the fact, replacing one of the same name. */
  put(name: string, value: string, nowMs: number): Promise<void>;
  /**
   * Writes the fact if the value is `expected` (undefined: none). Of several simultaneous calls one
   * returns true; the rest return false and change nothing.
   */
  swap(name: string, expected: string | undefined, next: string, nowMs: number): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** An encrypted value with its context: a key that decrypts it is the right one. */
  sealedSample(): Promise<{ readonly sealed: string; readonly context: string } | undefined>;
}

/** A blob that had no references when it was checked. */
interface OrphanMark {
  readonly sha256: string;
  readonly markedAtMs: number;
}

/** The register of stored blobs, by digest. */
export interface ContentNames {
  /** Blobs that a process needs: documents, attachments, and every earlier revision. */
  ofProcess(key: ProcessKey): Promise<readonly string[]>;
  /**
   * Blobs that processes, flows and watchlists refer to, in the order of their digests; earlier
   * revisions are excluded. Digests are uniformly distributed, so this is a random sample.
   *
   * @param from the first digest or a prefix of it; empty to start at the first
   */
  sample(take: number, from: string): Promise<readonly string[]>;
  /** Marks blobs as orphans of this store. An earlier mark is preserved. */
  markOrphans(storeId: string, sha256s: readonly string[], nowMs: number): Promise<void>;
  /** Removes the marks of these blobs. */
  unmarkOrphans(sha256s: readonly string[]): Promise<void>;
  /** Removes every mark, or only those set up to `markedUntilMs`. */
  unmarkAll(markedUntilMs?: number): Promise<void>;
  /** Marks of a store on these blobs. */
  marksOf(storeId: string, sha256s: readonly string[]): Promise<readonly OrphanMark[]>;
  /** Number of marks of a store set up to `markedUntilMs`. */
  countOrphans(storeId: string, markedUntilMs: number): Promise<number>;
}

/** Engine and version of a store. */
export interface StoreHealth {
  readonly engine: 'sqlite' | 'postgresql';
  readonly schemaVersion: number;
  readonly version: string;
  /** Clock of a database server, in milliseconds since the epoch. */
  readonly nowMs?: number;
}

/** A usage counter of a company. */
export interface QuotaCount {
  readonly companyKey: CompanyKey;
  /** A quota, the forms' part of one, or another counter: mails triggered by links, look-ups. */
  readonly what: QuotaName | `form:${QuotaName}` | 'linkMailsPerRecipient' | `lookup:${LookupType}`;
  /** `YYYY-MM-DD`. Empty for counters that are not daily, such as stored bytes. */
  readonly day: string;
}

/** Usage counters of companies. */
export interface QuotaUses {
  /**
   * Adds to a counter. It is stored in parts, so that concurrent writers do not wait for each
   * other; a part is stored by a digest of its name.
   */
  add(count: QuotaCount, part: string, amount: number): Promise<void>;
  /** The amount used, over all parts or in one. */
  used(count: QuotaCount, part?: string): Promise<number>;
  /** Removes a company's daily counters before `day`. */
  removeBefore(companyKey: CompanyKey, day: string): Promise<void>;
}

/** Counters of actions by or for a person. The names are not in the database. */
export interface Tallies {
  /** The tally of `subject`. Empty if there is no row. */
  find(subject: string): Promise<Tally>;
  /** Like {@link find}. Other transactions that lock it wait until this one ends. */
  lock(subject: string): Promise<Tally>;
  /** Writes a locked tally. */
  save(subject: string, tally: Tally, forgottenAtMs: number): Promise<void>;
  removeForgotten(nowMs: number): Promise<number>;
}

/** Origins whose pages may read responses about a company (CORS). */
export interface Origins {
  /** Origins of a company, oldest first. */
  list(companyKey: CompanyKey): Promise<readonly string[]>;
  /** Whether `companyKey` has registered it. Default: whether any company has. */
  has(origin: string, companyKey?: string): Promise<boolean>;
  /** Adds an origin. Does nothing if it exists. */
  put(companyKey: CompanyKey, origin: string, nowMs: number): Promise<void>;
  /** Removes an origin. False if it did not exist. */
  remove(companyKey: CompanyKey, origin: string): Promise<boolean>;
}

/** Logins of persons. The identity of the person is encrypted. */
export interface LoginSessions {
  add(session: LoginSession): Promise<void>;
  find(key: string): Promise<LoginSession | undefined>;
  /** Like {@link find}. Other writers of this login wait until this transaction ends. */
  lock(key: string): Promise<LoginSession | undefined>;
  save(session: LoginSession): Promise<void>;
  /** Removes logins started before this time. */
  removeOld(startedBeforeMs: number): Promise<number>;
}

/** Tokens that grant signees access to their processes. */
export interface AccessTokens {
  /** Adds the token. An existing one is unchanged. */
  put(token: AccessToken): Promise<void>;
  find(sha256: string): Promise<AccessToken | undefined>;
  removeExpired(nowMs: number): Promise<number>;
}

/** Times of the last polls, by the clock of leases ({@link Store.claimJobs}). */
export interface PollTimes {
  /**
   * Records a poll of `key` and returns 0, unless the last one is less than `gapMs` ago: in that
   * case it returns the number of milliseconds until the next one and changes nothing. Of
   * simultaneous polls one returns 0.
   */
  take(key: string, gapMs: number): Promise<number>;
  /** Removes the poll of `key`: the next one need not wait. */
  release(key: string): Promise<void>;
  /** Milliseconds since the last poll. Undefined if there was none. */
  ageMs(key: string): Promise<number | undefined>;
  /** Removes entries whose last poll is older than this. */
  removeOld(ageMs: number): Promise<number>;
}

/** The logs of all processes. Rows are only ever appended. */
export interface ActivityLog {
  /** Sequence number, hash and time of the newest row. Undefined for an empty chain. */
  head(key: ProcessKey): Promise<Pick<Activity, 'seq' | 'hash' | 'createdAtMs'> | undefined>;
  /** Like {@link head}, for many processes in one call. Empty chains are omitted. */
  heads(
    keys: readonly ProcessKey[],
  ): Promise<ReadonlyMap<ProcessKey, Pick<Activity, 'seq' | 'hash' | 'createdAtMs'>>>;
  append(
    rows: readonly { readonly row: Activity; readonly personal: readonly PersonalValue[] }[],
  ): Promise<void>;
  rows(key: ProcessKey): Promise<readonly Activity[]>;
  /** The rows of many processes in one call, by process. Empty chains are omitted. */
  rowsOf(keys: readonly ProcessKey[]): Promise<ReadonlyMap<ProcessKey, readonly Activity[]>>;
  /** Personal values that were not erased, by `seq`. */
  personal(key: ProcessKey): Promise<ReadonlyMap<number, readonly PersonalValue[]>>;
  /** Like {@link personal}, for many processes in one call. */
  personalOf(
    keys: readonly ProcessKey[],
  ): Promise<ReadonlyMap<ProcessKey, ReadonlyMap<number, readonly PersonalValue[]>>>;
  /** @param kept `commitments`: retains the salts of values that the process contains */
  erasePersonal(key: ProcessKey, kept?: 'commitments'): Promise<void>;
  /** Hashes of a company's rows created in [fromMs, toMs), in order of process key and seq. */
  hashesBetween(companyKey: CompanyKey, fromMs: number, toMs: number): Promise<readonly string[]>;
  /** Keys of processes that a company's rows name but that do not exist. */
  orphans(companyKey: CompanyKey, take: number): Promise<readonly ProcessKey[]>;
  /** Daily roots by day. @param tokens `none`: omits the time-stamps, which are long */
  dailyRoots(companyKey: CompanyKey, tokens?: 'none'): Promise<readonly DailyRoot[]>;
  /** Adds a root. False if the day already has one, which is preserved. */
  addDailyRoot(root: Omit<DailyRoot, 'token'>): Promise<boolean>;
  /** Adds the time-stamp to a root that has none. False if it has one, which is preserved. */
  stampDailyRoot(root: Pick<DailyRoot, 'companyKey' | 'day'>, token: Uint8Array): Promise<boolean>;
  /**
   * Time since which the company has daily roots without gaps, in milliseconds since the epoch: its
   * creation, or an update of the store.
   */
  rootsFromMs(companyKey: CompanyKey): Promise<number>;
  /** The time of a company's first row at or after `fromMs`. */
  nextRowMs(companyKey: CompanyKey, fromMs: number): Promise<number | undefined>;
}

/** A partially completed form. */
export interface StoredDraft {
  /** Digest of the draft's name, which only the browser has. */
  readonly key: string;
  readonly flowKey: FlowKey;
  readonly forgottenAtMs: number;
  readonly text: string;
}

/** Form input that was not submitted yet. */
export interface FormDrafts {
  /** The draft stored under `key`, unless it has expired at `nowMs`. */
  find(key: string, nowMs: number): Promise<StoredDraft | undefined>;
  /** Like {@link find}. Other transactions that lock it wait until this one ends. */
  lock(key: string, flowKey: FlowKey, nowMs: number): Promise<StoredDraft | undefined>;
  /** Writes a locked draft. */
  save(draft: StoredDraft): Promise<void>;
  remove(key: string): Promise<void>;
  removeForgotten(nowMs: number): Promise<number>;
  /** Removes all drafts of a flow except the `count` most recently saved. */
  removeBeyond(flowKey: FlowKey, count: number): Promise<number>;
}

/** Responses that are replayed if a request is repeated. */
export interface IdempotencyKeys {
  /** Claims the key for a new request, for `heldMs`. False if it is already claimed. */
  claim(mark: IdempotencyKeyClaim, heldMs: number): Promise<boolean>;
  /** The stored response of the key, locked until this transaction ends. */
  lock(companyKey: CompanyKey, key: string): Promise<StoredResponse | undefined>;
  /** Transfers the key from its holder to the request of `mark`. */
  takeOver(mark: IdempotencyKeyClaim, heldMs: number): Promise<void>;
  /**
   * Records the number of completed transactions of the request, in the transaction of the last
   * one. False if the request no longer holds the key; its work must then be rolled back.
   */
  advance(mark: IdempotencyKeyHolder, steps: number): Promise<boolean>;
  /** Holds the key for `heldMs` from now on. */
  renew(mark: IdempotencyKeyHolder, heldMs: number): Promise<void>;
  /** Stores the response as text, if the request holds the key. */
  keep(mark: IdempotencyKeyHolder, answer: string): Promise<void>;
  /** Releases the key if this request holds it. */
  remove(mark: IdempotencyKeyHolder): Promise<void>;
  removeOld(createdBeforeMs: number): Promise<number>;
}

/** Holder of an idempotency key. */
export interface IdempotencyKeyHolder {
  readonly companyKey: CompanyKey;
  readonly key: string;
  /** Unpredictable identifier of one request. */
  readonly owner: string;
}

/** A request with an idempotency key. */
export interface IdempotencyKeyClaim extends IdempotencyKeyHolder {
  /** SHA-256 of method, URL and body. */
  readonly requestHash: string;
  readonly createdAtMs: number;
}

/** Stored response of an idempotency key. */
export interface StoredResponse extends IdempotencyKeyClaim {
  /**
   * Remaining time for which the key is held, by the clock of leases ({@link Store.claimJobs}). A
   * running program renews it until the request has its response.
   */
  readonly leftMs: number;
  /** Number of committed transactions of the request. */
  readonly steps: number;
  readonly answer?: string;
}
