import type { ServicePorts } from '../service/index.ts';

/** What reminders stand on. */
export type ReminderPorts = Pick<
  ServicePorts,
  'store' | 'now' | 'random' | 'frontEnd' | 'closedChannels'
>;
