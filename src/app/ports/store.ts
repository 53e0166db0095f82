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
 * Persistent data except document contents. A transaction is a function; it is rolled back when the
 * function throws, and is never left open across network or PDF work.
 */
export interface Store {
  /** A consistent view. @throws store.unavailable, store.corrupt */
  read<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * One transaction. Writers of the same process wait for each other; the function may run again
   * when the engine asks for it, so it must have no effect outside of the unit.
   *
   * @throws store.busy, store.full, store.readonly, store.corrupt, store.unavailable
   */
  write<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * As {@link write}, without waiting for the disk where the engine can do so: a loss of power, and
   * nothing else, may undo it. For what nobody misses then, or begins anew: times of polls, starts.
   */
  writeLightly<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * As {@link write}, and this thread goes on while the disk is waited for. Other programs may see
   * the change some milliseconds before a loss of power would leave it: for rows upon which nobody
   * acts before this resolves.
   */
  writeBeside<T>(work: (unit: StoreUnit) => Promise<T>): Promise<T>;
  /**
   * Takes due jobs for `owner`; one whose lease ran out is due again. Leases begin and end by the
   * one time that all programs of the store have: clocks of hosts differ, and are set.
   */
  claimJobs(claim: JobClaim): Promise<readonly Job[]>;
  /**
   * Brings what was committed from a log that grows into the database, where the engine has one. It
   * holds up this thread, and nobody else: who does jobs calls it, so that no request has to.
   */
  checkpoint(): Promise<void>;
  /** Facts about the engine, for `doctor` and `readyz`. */
  health(): Promise<StoreHealth>;
  /**
   * Looks whether the open files are those that others find, and the disk has kept what was
   * written; cheap. @throws store.replaced, store.unavailable
   */
  requireInPlace(): void;
  close(): Promise<void>;
}

/** The store and a clock: dependencies of most use cases. */
export interface StorePorts {
  readonly store: Store;
  /** Epoch milliseconds. */
  now(): number;
}

/** The collections of the store inside one transaction. */
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
  /** Others who lock it wait until this transaction ends. */
  lock(key: CompanyKey): Promise<void>;
  /** National numbers that cannot be read are left out. */
  list(): Promise<readonly Company[]>;
  save(company: Company): Promise<void>;
  addApiKey(record: ApiKeyRecord): Promise<void>;
  /** The record of a key by its SHA-256, revoked or not. */
  findApiKey(sha256: string): Promise<ApiKeyRecord | undefined>;
  /** Keys of a company that are not revoked. */
  apiKeys(key: CompanyKey): Promise<readonly ApiKeyRecord[]>;
  revokeApiKey(id: string, atMs: number): Promise<boolean>;
  addUser(user: CompanyUser): Promise<void>;
  users(key: CompanyKey): Promise<readonly CompanyUser[]>;
  /** The secret of the published webhook signature; kept encrypted. */
  webhookSignatureKey(key: CompanyKey): Promise<string | undefined>;
  setWebhookSignatureKey(key: CompanyKey, secret: string): Promise<void>;
}

/** Flows and the versions of their schemas. */
export interface Flows {
  add(flow: Flow): Promise<void>;
  find(key: FlowKey): Promise<Flow | undefined>;
  /** As {@link find}; other writers of this flow wait until this transaction ends. */
  lock(key: FlowKey): Promise<Flow | undefined>;
  list(companyKey: CompanyKey, type?: FlowType): Promise<readonly Flow[]>;
  save(flow: Flow): Promise<void>;
  schemas(key: FlowKey): Promise<readonly FlowSchema[]>;
  findSchema(key: FlowKey, version: string): Promise<FlowSchema | undefined>;
  putSchema(schema: FlowSchema): Promise<void>;
}

/** The processes of a list. */
export interface ProcessFilter {
  readonly companyKey: CompanyKey;
  readonly createdFromMs?: number;
  /** Exclusive. */
  readonly createdToMs?: number;
  /** Any of these; absent: all. */
  readonly status?: ProcessStatus | readonly ProcessStatus[];
  /** In any letter case. */
  readonly user?: string;
  readonly processKey?: ProcessKey;
  readonly flowKey?: FlowKey;
  readonly flowType?: FlowType;
  /** Part of key, file name, signee name, e-mail, phone; or a whole national number. */
  readonly search?: string;
  /** Only those that come behind this one in the list: older, or made at once and named before. */
  readonly behind?: { readonly createdAtMs: number; readonly key: ProcessKey };
}

/** Members of a filter that ask for what a process is, and not for when it was made. */
export type FilterName = Exclude<
  keyof ProcessFilter,
  'companyKey' | 'createdFromMs' | 'createdToMs' | 'behind'
>;

/** A page of a list of processes; newest first. */
export interface ProcessPage extends ProcessFilter {
  readonly skip: number;
  readonly take: number;
}

/** A process as stored; unreadable parts are left out. */
export interface AuditedProcess {
  readonly key: ProcessKey;
  /** Value of the column, which is not verified. */
  readonly createdAtMs: number;
  readonly process?: SigningProcess;
}

/** Signing processes with their signees: one aggregate, written as one. */
export interface Processes {
  add(process: SigningProcess): Promise<void>;
  find(key: ProcessKey): Promise<SigningProcess | undefined>;
  /** The existing processes with these keys, in the order of `keys`, read by one statement. */
  findAll(keys: readonly ProcessKey[]): Promise<readonly SigningProcess[]>;
  /** As {@link find}; other writers of this process wait until this transaction ends. */
  lock(key: ProcessKey): Promise<SigningProcess | undefined>;
  /** As {@link lock} for many, in the order of their keys, by one statement. */
  lockAll(keys: readonly ProcessKey[]): Promise<readonly SigningProcess[]>;
  /**
   * As {@link lock} for many, in the order of their keys: the members that rows of their logs
   * contain.
   */
  lockOwners(keys: readonly ProcessKey[]): Promise<readonly ChainOwner[]>;
  /**
   * Writes `next`, whose `rev` is one more than what is stored. False when the stored `rev` is
   * another one: nothing is written then.
   */
  save(next: SigningProcess): Promise<boolean>;
  /** National numbers that cannot be read are left out: not to be saved. */
  list(page: ProcessPage): Promise<readonly SigningProcess[]>;
  count(filter: ProcessFilter): Promise<number>;
  /** The process with that key, whatever its row holds; none or one. */
  audit(companyKey: CompanyKey, key: ProcessKey): Promise<readonly AuditedProcess[]>;
  /** All processes of a company in the order of their keys, whatever their rows hold. */
  auditAfter(
    companyKey: CompanyKey,
    after: string | undefined,
    take: number,
  ): Promise<readonly AuditedProcess[]>;
  /** Contents that any process still refers to, out of `sha256s`. */
  referenced(sha256s: readonly string[]): Promise<readonly string[]>;
}

/** Sequences with their persons. */
export interface Sequences {
  add(sequence: Sequence): Promise<void>;
  find(key: SequenceKey): Promise<Sequence | undefined>;
  lock(key: SequenceKey): Promise<Sequence | undefined>;
  /** As {@link Processes.save}. */
  save(next: Sequence): Promise<boolean>;
  /** Newest first. */
  list(
    companyKey: CompanyKey,
    page: { readonly skip: number; readonly take: number },
  ): Promise<readonly Sequence[]>;
}

/** Webhooks, their events and deliveries. */
export interface Webhooks {
  /** Stores a webhook and gives its id. */
  add(webhook: Omit<Webhook, 'id'>): Promise<number>;
  find(id: number): Promise<Webhook | undefined>;
  /** As {@link find}; other writers of this webhook wait until this transaction ends. */
  lock(id: number): Promise<Webhook | undefined>;
  /** One whose secrets cannot be read has none here. */
  forFlow(key: FlowKey): Promise<readonly Webhook[]>;
  save(webhook: Webhook): Promise<void>;
  /** Removes it; waiting deliveries are cancelled. */
  remove(id: number): Promise<boolean>;
  addEvent(event: WebhookEvent): Promise<void>;
  findEvent(id: string): Promise<WebhookEvent | undefined>;
  /** Events of the process so far. */
  eventCount(key: ProcessKey): Promise<number>;
  addDelivery(delivery: WebhookDelivery): Promise<void>;
  findDelivery(id: string): Promise<WebhookDelivery | undefined>;
  /** As {@link findDelivery} for many, by id; those that are not there are left out. */
  findDeliveries(ids: readonly string[]): Promise<ReadonlyMap<string, WebhookDelivery>>;
  /** As {@link findEvent} for many, by id. */
  findEvents(ids: readonly string[]): Promise<ReadonlyMap<string, WebhookEvent>>;
  /** As {@link findEvents} without the bodies, which are long and encrypted. */
  eventHeads(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<WebhookEvent, 'type' | 'seq'>>>;
  /** As {@link saveDelivery} for many, and adds attempts. */
  saveDeliveries(
    deliveries: readonly WebhookDelivery[],
    attempts: readonly DeliveryAttempt[],
  ): Promise<void>;
  saveDelivery(delivery: WebhookDelivery): Promise<void>;
  deliveries(filter: DeliveryFilter): Promise<readonly WebhookDelivery[]>;
  attempts(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
  /** Forgets bodies and answers of a process; deliveries that wait are cancelled. */
  eraseOf(key: ProcessKey): Promise<void>;
  /** Removes events of no process, such as logins, that are older, with their deliveries. */
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
  /** As {@link list}: values that cannot be read are left out. */
  ofProcess(key: ProcessKey): Promise<readonly Message[]>;
  /** Erases recipients and values of a process; waiting messages are cancelled. */
  eraseOf(key: ProcessKey): Promise<void>;
  /** Newest first. */
  list(filter: {
    readonly companyKey: CompanyKey;
    readonly states: readonly Message['state'][];
    readonly take: number;
    /** Only those that come behind this one. */
    readonly before?: Pick<Message, 'createdAtMs' | 'id'>;
  }): Promise<readonly Message[]>;
  /** Messages of all companies that wait because none could leave, by the code that says why. */
  held(): Promise<readonly HeldMessages[]>;
}

/** Texts of companies. */
export interface EmailTemplates {
  /** Stores a template and gives its id. */
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

/** Compliance records of companies about persons and businesses; all values are encrypted. */
export interface ComplianceRecords {
  /** Writes a record in the place of the one with its id. */
  put(record: ComplianceRecord): Promise<void>;
  /**
   * Records of a company that have this value, newest first. By `email` and `phone` those of
   * earlier versions come too, of which it is not known.
   */
  find(
    companyKey: CompanyKey,
    kind: ComplianceRecord['kind'],
    by: ComplianceKey,
  ): Promise<readonly ComplianceRecord[]>;
  /** Records of a company in the order of their ids, behind `after`. */
  list(
    companyKey: CompanyKey,
    after: string | undefined,
    take: number,
  ): Promise<readonly ComplianceRecord[]>;
}
