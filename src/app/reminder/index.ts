/** Reminders: on request, planned, and cancelled. */

export {
  type Reminded,
  type ReminderService,
  type ReminderTarget,
  type RemindRequest,
  reminderOperations,
  unsubscribe,
} from './remind.ts';
export { type ReminderRun, type ReminderRunPorts, remindDue } from './run-due.ts';
