import { codesOf } from '../../scripts/api-codes.ts';
import type { CompanyService } from '../../src/app/company-service.ts';
import { isInnsigliError } from '../../src/base/errors.ts';

/** Services of a company by their names in the table of error codes. */
const services = {
  processes: 'ProcessService',
  signing: 'SigningService',
  reminders: 'ReminderService',
  webhooks: 'WebhookService',
  activity: 'ActivityService',
  auth: 'AuthService',
  flows: 'FlowService',
  templates: 'TemplateService',
  compliance: 'ComplianceService',
  screening: 'ScreeningService',
  messages: 'MessageService',
  receipts: 'ReceiptService',
} as const satisfies Partial<Record<keyof CompanyService, string>>;

/** Codes of every operation: an invalid argument, the store, and a log that cannot continue. */
export const everywhere =
  /^(validation\.error|(store|blob)\..*|activity\.chain\.broken|clock\.back)$/;

/** The same service, in which a method that fails with an undeclared code fails the test. */
export function withDeclaredCodes(company: CompanyService): CompanyService {
  const own = Object.entries(services) as [keyof typeof services, string][];
  const watched = own.map(([name, service]) => [name, watch(company[name], service)]);
  return { ...watch(company, 'CompanyService'), ...Object.fromEntries(watched) };
}

function watch<Table extends object>(table: Table, service: string): Table {
  const entries = Object.entries(table).map(([name, act]) => {
    if (typeof act !== 'function') return [name, act];
    const judge = (error: unknown): never => {
      if (!isInnsigliError(error) || isDeclared(service, name, error.code)) throw error;
      throw new Error(`${service}.${name} does not declare ${error.code}`, { cause: error });
    };
    return [
      name,
      (...given: unknown[]) => {
        try {
          const answer: unknown = act(...given);
          return answer instanceof Promise ? answer.catch(judge) : answer;
        } catch (error) {
          return judge(error);
        }
      },
    ];
  });
  return Object.fromEntries(entries);
}

function isDeclared(service: string, method: string, code: string): boolean {
  const codes = codesOf(service, method);
  // One code stands for all faults of a document.
  const isDocument = code.startsWith('pdf.') && codes.includes('pdf.notpdf');
  return everywhere.test(code) || codes.includes(code) || isDocument;
}
