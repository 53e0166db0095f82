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
  /** Number of completed jobs. */
  readonly done: number;
  /** The same by kind; kinds without jobs are absent. */
  readonly kinds?: { readonly [Kind in JobKind]?: number };
  /** Jobs that did not achieve their purpose. */
  readonly failed: readonly FailedJob[];
}

/** A job that did not achieve its purpose. */
export interface FailedJob {
  readonly kind: JobKind;
  readonly ref: string;
  readonly code: string;
  /** The reason as text, without secrets or personal data. */
  readonly why?: string;
  /** True if no further attempt is planned; otherwise it is retried automatically. */
  readonly isFinal: boolean;
}

/** Settings, users, keys, origins and quotas of a company. */
export const companyOperations = {
  /**
   * Whether `key` is the key of the published webhook signature of the company.
   *
   * @example
   * const isOurs = await acme.isWebhookSignatureKey(key);
   */
  isWebhookSignatureKey,
  /**
   * Issues a further API key of a company; existing keys remain valid.
   *
   * @example
   * const { apiKey } = await acme.issueApiKey('reports', { scopes: ['read'] });
   */
  issueApiKey,
  ...settingOperations,
  /**
   * Sets the display name of a user who sends documents; mails and evidence show it.
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
  /** Base URL of signing pages, without a trailing slash. */
  readonly frontEnd: string;
  readonly processes: ProcessService;
  readonly signing: SigningService;
  readonly reminders: ReminderService;
  readonly webhooks: WebhookService;
  readonly activity: ActivityService;
  /** e-ID logins and signatures. */
  readonly auth: AuthService;
  readonly flows: FlowService;
  readonly templates: TemplateService;
  readonly compliance: ComplianceService;
  readonly screening: ScreeningService;
  readonly messages: MessageService;
  readonly receipts: ReceiptService;
  /**
   * Runs the due jobs of all companies, like `Service.work`: the holder of one company needs no
   * other object to have its documents sealed.
   *
   * @param kinds only these
   * @example
   * const { done, failed } = await acme.runDueJobs();
   */
  runDueJobs(kinds?: readonly JobKind[]): Promise<WorkReport>;
}
