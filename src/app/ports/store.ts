import type { ChainOwner } from '../../domain/activity/index.ts';
import type { ApiKeyRecord, Company, CompanyUser } from '../../domain/company.ts';
import type { ComplianceKey, ComplianceRecord } from '../../domain/compliance/index.ts';
import type { Flow, FlowSchema, FlowType } from '../../domain/flow/index.ts';
import type { CompanyKey, FlowKey, ProcessKey, SequenceKey } from '../../domain/keys.ts';
import type { EmailTemplate, HeldMessages, Message } from '../../domain/message/index.ts';
import type { ProcessStatus, SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import type { Challenge } from '../../domain/signing/index.ts';
import type {
  DeliveryAttempt,
  DeliveryState,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
} from '../../domain/webhook/index.ts';
import type { Job, JobClaim, Jobs } from './jobs.ts';
import type { Customers, MatchDecisions, Screenings } from './screenings.ts';
import type {
  AccessTokens,
  ActivityLog,
  ContentNames,
  FormDrafts,
  IdempotencyKeys,
  LoginSessions,
  Origins,
  PollTimes,
  QuotaUses,
  StoreFacts,
  StoreHealth,
  Tallies,
} from './store-rows.ts';
import type { Watchlists } from './watchlists.ts';

/**
 * Persistent data except blobs. A transaction is a function. It is rolled back if the function
 * throws, and is never left open across network or PDF work.
 */
export interface Store {
  /** Reads a consistent snapshot. @throws store.unavailable, store.corrupt */
  read<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * Runs one transaction. Writers of the same process wait for each other. The function may run
   * again if the engine requires it, so it must have no effect outside the unit.
   *
   * @throws store.busy, store.full, store.readonly, store.corrupt, store.unavailable
   */
  write<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * Like {@link write}, without waiting for the disk if the engine allows it: only a loss of power
   * may undo it. For data that can be lost or created again: times of polls, starts.
   */
  writeRelaxed<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * Like {@link write}, but this thread continues while the disk is flushed. Other programs may see
   * the change some milliseconds before it would survive a loss of power. For rows that no one acts
   * on before the promise resolves.
   */
  writeInBackground<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * Claims due jobs for `owner`. A job with an expired lease is due again. Leases are measured by
   * the one clock that all programs of the store share: clocks of hosts differ, and may be set.
   */
  claimJobs(claim: JobClaim): Promise<readonly Job[]>;
  /**
   * Checkpoints a growing write-ahead log into the database, if the engine has one. It blocks only
   * this thread. Workers call it, so that no request has to.
   */
  checkpoint(): Promise<void>;
  /** Facts about the engine, for `doctor` and `readyz`. */
  health(): Promise<StoreHealth>;
  /**
   * Checks that the open files are still those at their paths, and that the disk has kept what was
   * written. Cheap. @throws store.replaced, store.unavailable
   */
  requireInPlace(): void;
  close(): Promise<void>;
}

/** The store and a clock: dependencies of most use cases. */
export interface StorePorts {
  readonly store: Store;
  /** Current time in milliseconds since the epoch. */
  now(): number;
}

/** The collections of the store within one transaction. */
export interface StoreUnit {
  readonly companies: Companies;
  readonly flows: Flows;
  readonly processes: Processes;
  readonly sequences: Sequences;
  readonly activity: ActivityLog;
  readonly webhooks: Webhooks;
  readonly messages: Messages;
  readonly templates: EmailTemplates;
  readonly jobs: Jobs;
  readonly challenges: Challenges;
  readonly logins: LoginSessions;
  readonly accessTokens: AccessTokens;
  readonly polls: PollTimes;
  readonly tallies: Tallies;
  readonly compliance: ComplianceRecords;
  readonly watchlists: Watchlists;
  readonly screenings: Screenings;
  readonly matchDecisions: MatchDecisions;
  readonly customers: Customers;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly facts: StoreFacts;
  readonly contents: ContentNames;
  readonly quotas: QuotaUses;
  readonly origins: Origins;
  readonly formDrafts: FormDrafts;
}

/** Companies, their users and API keys. */
export interface Companies {
  add(company: Company): Promise<void>;
  find(key: CompanyKey): Promise<Company | undefined>;
  /** Locks the company. Other transactions that lock it wait until this one ends. */
  lock(key: CompanyKey): Promise<void>;
  /** Lists all companies. National numbers that cannot be decrypted are omitted. */
  list(): Promise<readonly Company[]>;
  save(company: Company): Promise<void>;
  addApiKey(record: ApiKeyRecord): Promise<void>;
  /** The API key with that SHA-256, revoked or not. */
  findApiKey(sha256: string): Promise<ApiKeyRecord | undefined>;
  /** A company's API keys that are not revoked. */
  apiKeys(key: CompanyKey): Promise<readonly ApiKeyRecord[]>;
  revokeApiKey(id: string, atMs: number): Promise<boolean>;
  addUser(user: CompanyUser): Promise<void>;
  users(key: CompanyKey): Promise<readonly CompanyUser[]>;
  /** The secret of the published webhook signature. Encrypted at rest. */
  webhookSignatureKey(key: CompanyKey): Promise<string | undefined>;
  setWebhookSignatureKey(key: CompanyKey, secret: string): Promise<void>;
}

/** Flows and the versions of their schemas. */
export interface Flows {
  add(flow: Flow): Promise<void>;
  find(key: FlowKey): Promise<Flow | undefined>;
  /** Like {@link find}. Other writers of this flow wait until this transaction ends. */
  lock(key: FlowKey): Promise<Flow | undefined>;
  list(companyKey: CompanyKey, type?: FlowType): Promise<readonly Flow[]>;
  save(flow: Flow): Promise<void>;
  schemas(key: FlowKey): Promise<readonly FlowSchema[]>;
  findSchema(key: FlowKey, version: string): Promise<FlowSchema | undefined>;
  putSchema(schema: FlowSchema): Promise<void>;
}

/** Filter of a list of processes. */
export interface ProcessFilter {
  readonly companyKey: CompanyKey;
  readonly createdFromMs?: number;
  /** Exclusive. */
  readonly createdToMs?: number;
  /** Any of these. Default: all. */
  readonly status?: ProcessStatus | readonly ProcessStatus[];
  /** Compared case-insensitively. */
  readonly user?: string;
  readonly processKey?: ProcessKey;
  readonly flowKey?: FlowKey;
  readonly flowType?: FlowType;
  /** Part of key, file name, signee name, e-mail or phone; or a whole national number. */
  readonly search?: string;
  /** Only processes after this one in the list: older ones, or as old with a smaller key. */
  readonly behind?: { readonly createdAtMs: number; readonly key: ProcessKey };
}

/** Members of a filter that select by property, not by time of creation. */
export type FilterName = Exclude<
  keyof ProcessFilter,
  'companyKey' | 'createdFromMs' | 'createdToMs' | 'behind'
>;

/** A page of a list of processes, newest first. */
export interface ProcessPage extends ProcessFilter {
  readonly skip: number;
  readonly take: number;
}

/** A process as stored. Unreadable parts are omitted. */
export interface AuditedProcess {
  readonly key: ProcessKey;
  /** Value of the column. Not verified. */
  readonly createdAtMs: number;
  readonly process?: SigningProcess;
}

/** Signing processes with their signees: one aggregate, written as a unit. */
export interface Processes {
  add(process: SigningProcess): Promise<void>;
  find(key: ProcessKey): Promise<SigningProcess | undefined>;
  /** The existing processes with these keys, in the order of `keys`, read with one statement. */
  findAll(keys: readonly ProcessKey[]): Promise<readonly SigningProcess[]>;
  /** Like {@link find}. Other writers of this process wait until this transaction ends. */
  lock(key: ProcessKey): Promise<SigningProcess | undefined>;
  /** Like {@link lock} for many, in the order of their keys, with one statement. */
  lockAll(keys: readonly ProcessKey[]): Promise<readonly SigningProcess[]>;
  /** Like {@link lock} for many, in the order of keys. Returns only the members in log rows. */
  lockOwners(keys: readonly ProcessKey[]): Promise<readonly ChainOwner[]>;
  /** Writes `next` if its `rev` is one more than the stored one; otherwise returns false. */
  save(next: SigningProcess): Promise<boolean>;
  /** National numbers that cannot be decrypted are omitted; do not save the result. */
  list(page: ProcessPage): Promise<readonly SigningProcess[]>;
  count(filter: ProcessFilter): Promise<number>;
  /** The process with that key, even if its row is damaged. None or one. */
  audit(companyKey: CompanyKey, key: ProcessKey): Promise<readonly AuditedProcess[]>;
  /** A company's processes in the order of their keys, even if their rows are damaged. */
  auditAfter(
    companyKey: CompanyKey,
    after: string | undefined,
    take: number,
  ): Promise<readonly AuditedProcess[]>;
  /** The blobs among `sha256s` that a process, flow, watchlist or webhook event still refers to. */
  referenced(sha256s: readonly string[]): Promise<readonly string[]>;
}

/** Sequences with their persons. */
export interface Sequences {
  add(sequence: Sequence): Promise<void>;
  find(key: SequenceKey): Promise<Sequence | undefined>;
  lock(key: SequenceKey): Promise<Sequence | undefined>;
  /** See {@link Processes.save}. */
  save(next: Sequence): Promise<boolean>;
  /** Newest first. */
  list(
    companyKey: CompanyKey,
    page: { readonly skip: number; readonly take: number },
  ): Promise<readonly Sequence[]>;
}

/** Webhooks, their events and deliveries. */
export interface Webhooks {
  /** Stores a webhook and returns its ID. */
  add(webhook: Omit<Webhook, 'id'>): Promise<number>;
  find(id: number): Promise<Webhook | undefined>;
  /** Like {@link find}. Other writers of this webhook wait until this transaction ends. */
  lock(id: number): Promise<Webhook | undefined>;
  /** The webhooks of a flow. Secrets that cannot be decrypted are omitted. */
  forFlow(key: FlowKey): Promise<readonly Webhook[]>;
  save(webhook: Webhook): Promise<void>;
  /** Removes the webhook and cancels its waiting deliveries. */
  remove(id: number): Promise<boolean>;
  addEvent(event: WebhookEvent): Promise<void>;
  findEvent(id: string): Promise<WebhookEvent | undefined>;
  /** Number of events of the process so far. */
  eventCount(key: ProcessKey): Promise<number>;
  addDelivery(delivery: WebhookDelivery): Promise<void>;
  findDelivery(id: string): Promise<WebhookDelivery | undefined>;
  /** Like {@link findDelivery} for many, by ID. Missing ones are omitted. */
  findDeliveries(ids: readonly string[]): Promise<ReadonlyMap<string, WebhookDelivery>>;
  /** Like {@link findEvent} for many, by ID. */
  findEvents(ids: readonly string[]): Promise<ReadonlyMap<string, WebhookEvent>>;
  /** Like {@link findEvents} without the bodies, which are long and encrypted. */
  eventHeads(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<WebhookEvent, 'type' | 'seq'>>>;
  /** Like {@link saveDelivery} for many. Also adds attempts. */
  saveDeliveries(
    deliveries: readonly WebhookDelivery[],
    attempts: readonly DeliveryAttempt[],
  ): Promise<void>;
  saveDelivery(delivery: WebhookDelivery): Promise<void>;
  deliveries(filter: DeliveryFilter): Promise<readonly WebhookDelivery[]>;
  attempts(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
  /** Erases bodies and responses of a process and cancels its waiting deliveries. */
  eraseOf(key: ProcessKey): Promise<void>;
  /** Removes older events that belong to no process, such as logins, with their deliveries. */
  removeUnbound(createdBeforeMs: number): Promise<void>;
}

/** Filter of a list of deliveries; newest first. */
export interface DeliveryFilter {
  readonly companyKey: CompanyKey;
  readonly webhookId?: number;
  readonly processKey?: ProcessKey;
  readonly state?: DeliveryState;
  readonly sinceMs?: number;
  readonly take: number;
}

/** Mails and text messages. */
export interface Messages {
  add(message: Message): Promise<void>;
  find(id: string): Promise<Message | undefined>;
  save(message: Message): Promise<void>;
  /** Messages of a process. Values that cannot be decrypted are omitted, as in {@link list}. */
  ofProcess(key: ProcessKey): Promise<readonly Message[]>;
  /** Erases recipients and values of a process and cancels its waiting messages. */
  eraseOf(key: ProcessKey): Promise<void>;
  /** Newest first. */
  list(filter: {
    readonly companyKey: CompanyKey;
    readonly states: readonly Message['state'][];
    readonly take: number;
    /** Only messages that follow this one in the list. */
    readonly before?: Pick<Message, 'createdAtMs' | 'id'>;
  }): Promise<readonly Message[]>;
  /** Messages of all companies that are held because none can be sent, grouped by error code. */
  held(): Promise<readonly HeldMessages[]>;
}

/** Custom texts of companies. */
export interface EmailTemplates {
  /** Stores a template and returns its ID. */
  add(template: Omit<EmailTemplate, 'id'>): Promise<number>;
  find(id: number): Promise<EmailTemplate | undefined>;
  forFlow(key: FlowKey): Promise<readonly EmailTemplate[]>;
  save(template: EmailTemplate): Promise<void>;
  remove(id: number): Promise<boolean>;
}

/** One-time codes and e-ID sessions. */
export interface Challenges {
  add(challenge: Challenge): Promise<void>;
  find(token: string): Promise<Challenge | undefined>;
  save(challenge: Challenge): Promise<void>;
  removeExpired(beforeMs: number): Promise<number>;
}

/** Compliance records of companies about persons and businesses. All values are encrypted. */
export interface ComplianceRecords {
  /** Writes a record, replacing the one with its ID. */
  put(record: ComplianceRecord): Promise<void>;
  /**
   * A company's records with this value, newest first. For `email` and `phone` the result includes
   * records of earlier versions, which have no index: they may not match.
   */
  find(
    companyKey: CompanyKey,
    kind: ComplianceRecord['kind'],
    by: ComplianceKey,
  ): Promise<readonly ComplianceRecord[]>;
  /** A company's records following `after`, in the order of their IDs. */
  list(
    companyKey: CompanyKey,
    after: string | undefined,
    take: number,
  ): Promise<readonly ComplianceRecord[]>;
}
