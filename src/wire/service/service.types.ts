import type { ActivityService } from '../../app/activity/index.ts';
import type { IdentityService } from '../../app/auth/index.ts';
import type {
  ApiKeyTerms,
  CompanyAccess,
  CompanyRequest,
  CreatedCompany,
  IdempotentRequests,
} from '../../app/company/index.ts';
import type { ComplianceService } from '../../app/compliance/index.ts';
import type { FlowService } from '../../app/flow/index.ts';
import type { MessageService, ReceiptService } from '../../app/message/index.ts';
import type { DueJobs, StoreHealth } from '../../app/ports/index.ts';
import type { ProcessService } from '../../app/process/index.ts';
import type { QuotaChange, QuotaUse } from '../../app/quota/index.ts';
import type { ReminderService } from '../../app/reminder/index.ts';
import type { ScreeningService } from '../../app/screening/index.ts';
import type { CompanyLogo } from '../../app/sender/index.ts';
import type { SigningService } from '../../app/signing/index.ts';
import type { TemplateService } from '../../app/template/index.ts';
import type { WebhookService } from '../../app/webhook/index.ts';
import type { ApiKeyScope, Company, CompanyUser } from '../../domain/company/index.ts';
import type { HeldMessages } from '../../domain/message/index.ts';
import type { JobKind } from '../../domain/process/index.ts';
import type { WorkThreads } from '../threads/work-threads.types.ts';

/** What a worker run did. */
export interface WorkReport {
  /** Jobs that were done. */
  readonly done: number;
  /** The same by their kinds; kinds without any are left out. */
  readonly kinds?: { readonly [Kind in JobKind]?: number };
  /** Jobs that did not achieve what they are for. */
  readonly failed: readonly FailedJob[];
}

/** A job that did not achieve what it is for. */
export interface FailedJob {
  readonly kind: JobKind;
  readonly ref: string;
  readonly code: string;
  /** What kept it, in words; no secrets, no persons. */
  readonly why?: string;
  /** No further attempt is planned; otherwise it comes again by itself. */
  readonly isFinal: boolean;
}

/** Everything that one company can do: processes, signatures, reminders, webhooks, log, flows. */
export interface CompanyService {
  readonly company: Company;
  /** Base address of signing pages, without a slash at the end. */
  readonly frontEnd: string;
  readonly processes: ProcessService;
  readonly signing: SigningService;
  readonly reminders: ReminderService;
  readonly webhooks: WebhookService;
  readonly activity: ActivityService;
  readonly flows: FlowService;
  readonly templates: TemplateService;
  readonly compliance: ComplianceService;
  readonly screening: ScreeningService;
  readonly messages: MessageService;
  readonly receipts: ReceiptService;
  /** True when `key` is the key of the published webhook signature of the company. */
  isWebhookSignatureKey(key: string): Promise<boolean>;
  /** A further API key; it is shown this once. @throws validation.error */
  issueApiKey(
    label: string,
    terms?: ApiKeyTerms,
  ): Promise<{ readonly id: string; readonly apiKey: string }>;
  /** @throws company.key.not_found */
  revokeApiKey(id: string): Promise<void>;
  /** Changes settings of the company; parsed JSON. @throws validation.error */
  change(settings: unknown): Promise<Company>;
  /**
   * Sets when the trial of the company ends; undefined: there is none.
   *
   * @throws validation.error
   */
  setTrial(endsAtMs: number | undefined): Promise<Company>;
  /**
   * Lets pages of these origins, such as `https://app.example.com`, read answers about the company;
   * gives all that may.
   *
   * @throws validation.error, limit.exceeded
   */
  addOrigins(origins: readonly string[]): Promise<readonly string[]>;
  /** Ends that, within seconds. @throws company.origin.not_found, validation.error */
  removeOrigins(origins: readonly string[]): Promise<readonly string[]>;
  /**
   * Says what a user of the company is called: mails and evidence of what they send name them.
   *
   * @throws validation.error, limit.exceeded
   */
  nameUser(user: { readonly email: string; readonly name: string }): Promise<CompanyUser>;
  /**
   * Sets the logo at the head of mails, PNG or JPEG; undefined takes it away.
   *
   * @throws validation.error
   */
  setLogo(content: Uint8Array | undefined): Promise<Omit<CompanyLogo, 'content'> | undefined>;
  /** Users, API keys and origins of the company. */
  access(): Promise<CompanyAccess>;
  /** What the company may take of the service, and what it has taken. */
  quotas(): Promise<readonly QuotaUse[]>;
  /** Sets quotas of the company; null brings the usual one back. @throws validation.error */
  setQuotas(change: QuotaChange): Promise<void>;
  /**
   * Does the jobs that are due, those of all companies as {@link Service.work}: who holds one
   * company needs no other object to get its documents sealed.
   *
   * @param kinds only these
   */
  work(kinds?: readonly JobKind[]): Promise<WorkReport>;
}

/** How the service of a data directory is opened. */
export interface ServiceWish {
  /** Refuse a data directory without one, and make nothing. */
  readonly mustExist?: boolean;
  /** Take what documents, schemas and values may ask for without end. */
  readonly threads?: WorkThreads;
}

/** The signing service of a data directory. */
export interface Service {
  /** Makes a company; its secrets are shown this once. */
  createCompany(request: CompanyRequest): Promise<CreatedCompany>;
  companies(): Promise<readonly Company[]>;
  /**
   * The toolkit of a company: the named one, that of the configuration, or the only one.
   *
   * @throws company.not_found
   */
  open(company?: string): Promise<CompanyService>;
  /**
   * The toolkit of a company, for its API key; undefined when they do not belong together.
   *
   * @param scope what the key must be good for; undefined: anything
   * @throws authentication.key.scope
   */
  openFor(
    companyKey: string,
    apiKey: string,
    scope?: ApiKeyScope,
  ): Promise<CompanyService | undefined>;
  /** The toolkit of the company that a process, sequence or flow belongs to, when it is there. */
  openOwner(
    what: 'process' | 'sequence' | 'flow',
    key: string,
  ): Promise<CompanyService | undefined>;
  /** As the port of the HTTP face says; what was found is remembered. */
  placesBehind(key: string): Promise<number>;
  /**
   * Whether pages of `origin` may read answers about a company, or about any when none is named;
   * what was changed by another program is known within two seconds.
   */
  allowsOrigin(origin: string, companyKey?: string): Promise<boolean>;
  /**
   * Does the jobs of all companies that are due: seals finished documents, sends messages and
   * webhooks, expires, reminds, purges. Jobs that a job makes are done too, when they are due.
   *
   * @param kinds only these
   * @param signal ends it after what is under way
   * @param told hears at once of each job that failed
   */
  work(
    kinds?: readonly JobKind[],
    signal?: AbortSignal,
    told?: (failed: FailedJob) => void,
  ): Promise<WorkReport>;
  /** Requests that come twice under one name, and are done once. */
  readonly idempotency: IdempotentRequests;
  /**
   * To be called by a program that serves or works, when it begins: it marks the folder of
   * contents for other hosts, and compares the key that it seals with to theirs.
   *
   * @param seals false: it does no work that seals, and opens no key
   * @throws contents.unshared, trust.mismatch, key.*
   */
  enter(seals?: boolean): Promise<void>;
  /** Whether the database answers and can be written, and what work is due. @throws store.* */
  health(): Promise<{ readonly store: StoreHealth; readonly due: readonly DueJobs[] }>;
  /** Looks whether the open database is the one at its place; cheap. @throws store.replaced */
  requireInPlace(): void;
  /** Writes where documents are kept, and gives the bytes that are free there. @throws store.* */
  storage(): Promise<{ readonly freeBytes: number }>;
  /** Jobs that this program has done since it opened the service, and those that failed. */
  readonly worked: { readonly done: number; readonly failed: number };
  /** Messages that wait until settings or servers are put right, by the code that says why. */
  held(): Promise<readonly HeldMessages[]>;
  /** Logins of persons and what they open, for all companies. */
  readonly identity: IdentityService;
  close(): Promise<void>;
}
