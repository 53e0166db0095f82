/** Reminders: by hand, by plan, and their end. */

export * from './remind.ts';
export { type ReminderRun, type ReminderRunPorts, remindDue } from './run-due.ts';
