/** When and how signees are reminded. */
export { plannedDelivery, type ReminderRefusal, reminderRefusal } from './delivery.ts';
export {
  formatReminderRule,
  nextReminderAtMs,
  parseReminderRule,
  plannedRemindersMax,
  type ReminderBounds,
} from './rule.ts';
