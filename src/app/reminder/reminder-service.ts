import type { CompanyKey } from '../../domain/keys.ts';
import { bindOperations, type Service } from '../operation.ts';
import { cancelReminders, remind, unsubscribe } from './remind.ts';
import { type ReminderRun, type ReminderRunPorts, runDueReminders } from './run-due.ts';

/** Everything that a company can do with reminders. */
export const reminderOperations = { remind, cancelReminders, unsubscribe, runDue };

/** The methods of {@link reminderOperations}. */
export type ReminderService = Service<typeof reminderOperations>;

/** The reminders of `companyKey`. */
export function reminderService(ports: ReminderRunPorts, companyKey: CompanyKey): ReminderService {
  return bindOperations(reminderOperations, ports, companyKey);
}

/** Does the reminders and messages of all companies that are due. */
function runDue(ports: ReminderRunPorts): Promise<ReminderRun> {
  return runDueReminders(ports);
}
