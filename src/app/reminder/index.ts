/** Reminders: by hand, by plan, and their end. */
export type { ReminderPorts } from './ports.ts';
export {
  cancelReminders,
  type Reminded,
  type ReminderTarget,
  type RemindRequest,
  remind,
  unsubscribe,
} from './remind.ts';
export { remindDue } from './remind-due.ts';
export { type ReminderService, reminderService } from './reminder-service.ts';
export { type ReminderRun, type ReminderRunPorts, runDueReminders } from './run-due.ts';
