import type { Company, CompanyUser } from '../domain/company/index.ts';
import type { JobKind } from '../domain/process/index.ts';
import type { ActivityService } from './activity/index.ts';
import type { ApiKeyTerms, CompanyAccess } from './company/index.ts';
import type { ComplianceService } from './compliance/index.ts';
import type { FlowService } from './flow/index.ts';
import type { MessageService, ReceiptService } from './message/index.ts';
import type { ProcessService } from './process/index.ts';
import type { QuotaChange, QuotaUse } from './quota/index.ts';
import type { ReminderService } from './reminder/index.ts';
import type { ScreeningService } from './screening/index.ts';
import type { CompanyLogo } from './sender/index.ts';
import type { SigningService } from './signing/index.ts';
import type { TemplateService } from './template/index.ts';
import type { WebhookService } from './webhook/index.ts';

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
   * Does the jobs that are due, those of all companies as `Service.work`: who holds one
   * company needs no other object to get its documents sealed.
   *
   * @param kinds only these
   */
  runDueJobs(kinds?: readonly JobKind[]): Promise<WorkReport>;
}
