import type { CompanyKey } from '../../domain/keys.ts';
import {
  cancelReminders,
  type Reminded,
  type ReminderTarget,
  type RemindRequest,
  remind,
  unsubscribe,
} from './remind.ts';
import { type ReminderRun, type ReminderRunPorts, runDueReminders } from './run-due.ts';

/** The reminders of one company. */
export interface ReminderService {
  /**
   * Reminds now.
   *
   * @throws process.not_found, error.signee.not_found, reminder.*, signing.forbidden.*
   */
  remind(target: ReminderTarget, request: RemindRequest): Promise<Reminded>;
  /** Ends the plan; gives the number of documents it is about. @throws process.not_found */
  cancelReminders(target: ReminderTarget, user?: string): Promise<number>;
  /** The reader wants no more planned reminders. @throws process.not_found */
  unsubscribe(target: ReminderTarget): Promise<void>;
  /** Does the reminders and messages of all companies that are due. */
  runDue(): Promise<ReminderRun>;
}

/** The reminders of `companyKey`. */
export function reminderService(ports: ReminderRunPorts, companyKey: CompanyKey): ReminderService {
  return {
    remind: (target, request) => remind(ports, companyKey, target, request),
    cancelReminders: (target, user) => cancelReminders(ports, companyKey, target, user),
    unsubscribe: (target) => unsubscribe(ports, target, companyKey),
    runDue: () => runDueReminders(ports),
  };
}
