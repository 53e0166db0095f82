import { activityOperations } from '../src/app/activity/activity-service.ts';
import { authOperations, identityOperations } from '../src/app/auth/index.ts';
import { companyOperations } from '../src/app/company-service.ts';
import { complianceOperations } from '../src/app/compliance/index.ts';
import { flowOperations } from '../src/app/flow/index.ts';
import { messageOperations, receiptOperations } from '../src/app/message/message-service.ts';
import { processOperations } from '../src/app/process/index.ts';
import { reminderOperations } from '../src/app/reminder/index.ts';
import { screeningOperations } from '../src/app/screening/index.ts';
import { signingOperations } from '../src/app/signing/signing-service.ts';
import { templateOperations } from '../src/app/template-service.ts';
import { webhookOperations } from '../src/app/webhook/index.ts';

interface Coded {
  readonly errors: readonly string[];
  readonly ofSome?: readonly string[];
}
type Table = Readonly<Record<string, Coded>>;

const tables: Readonly<Record<string, Table>> = {
  ActivityService: activityOperations,
  CompanyService: companyOperations,
  ComplianceService: complianceOperations,
  FlowService: flowOperations,
  AuthService: authOperations,
  IdentityService: identityOperations,
  MessageService: messageOperations,
  ProcessService: processOperations,
  ReceiptService: receiptOperations,
  ReminderService: reminderOperations,
  ScreeningService: screeningOperations,
  SigningService: signingOperations,
  TemplateService: templateOperations,
  WebhookService: webhookOperations,
};

/** Returns the error codes that the table of a service declares for a method. */
export function codesOf(service: string, method: string): readonly string[] {
  const { errors = [], ofSome = [] } = tables[service]?.[method] ?? {};
  return [...errors, ...ofSome];
}
