/** Reminders: by hand, by plan, and their end. */

export * from './remind.ts';
export * from './run-due.ts';
