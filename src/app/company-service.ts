import type { Company } from '../domain/company.ts';
import type { JobKind } from '../domain/process/index.ts';
import type { ActivityService } from './activity/index.ts';
import type { AuthService } from './auth/index.ts';
import { issueApiKey, isWebhookSignatureKey, settingOperations } from './company/index.ts';
import type { ComplianceService } from './compliance/index.ts';
import type { FlowService } from './flow/index.ts';
import type { MessageService, ReceiptService } from './message/index.ts';
import type { Service } from './operation.ts';
import type { ProcessService } from './process/index.ts';
import { quotaOperations } from './quotas.ts';
import type { ReminderService } from './reminder/index.ts';
import type { ScreeningService } from './screening/index.ts';
import { logoOperations, nameUser } from './sender/index.ts';
import type { SigningService } from './signing/index.ts';
import type { TemplateService } from './template-service.ts';
import type { WebhookService } from './webhook/index.ts';

/** Result of a worker run. */
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
  /** The reason, in words; no secrets, no persons. */
  readonly why?: string;
  /** No further attempt is planned; otherwise it comes again by itself. */
  readonly isFinal: boolean;
}

/** Settings, users, keys, origins and quotas of a company. */
export const companyOperations = {
  /**
   * True when `key` is the key of the published webhook signature of the company.
   *
   * @example
   * const isOurs = await acme.isWebhookSignatureKey(key);
   */
  isWebhookSignatureKey,
  /**
   * A further API key of a company; the old ones stay.
   *
   * @example
   * const { apiKey } = await acme.issueApiKey('reports', { scopes: ['read'] });
   */
  issueApiKey,
  ...settingOperations,
  /**
   * Says what a user is called who sends documents: mails and evidence name them.
   *
   * @example
   * await acme.nameUser({ email: 'me@acme.example', name: 'Anna' });
   */
  nameUser,
  ...logoOperations,
  ...quotaOperations,
};

/** Operations of one company: processes, signatures, reminders, webhooks, log, flows. */
export interface CompanyService extends Service<typeof companyOperations> {
  readonly company: Company;
  /** Base address of signing pages, without a slash at the end. */
  readonly frontEnd: string;
  readonly processes: ProcessService;
  readonly signing: SigningService;
  readonly reminders: ReminderService;
  readonly webhooks: WebhookService;
  readonly activity: ActivityService;
  /** Logins and signatures by electronic identity. */
  readonly auth: AuthService;
  readonly flows: FlowService;
  readonly templates: TemplateService;
  readonly compliance: ComplianceService;
  readonly screening: ScreeningService;
  readonly messages: MessageService;
  readonly receipts: ReceiptService;
  /**
   * Does the jobs that are due, those of all companies as `Service.work`: who holds one company
   * needs no other object to get its documents sealed.
   *
   * @param kinds only these
   * @example
   * const { done, failed } = await acme.runDueJobs();
   */
  runDueJobs(kinds?: readonly JobKind[]): Promise<WorkReport>;
}
