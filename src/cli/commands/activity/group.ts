import { command } from '../../command/index.ts';
import { activityAnchor } from './anchor.ts';
import { activityExport } from './export.ts';
import { activityList } from './list.ts';
import { activityTotal } from './total.ts';
import { activityVerify } from './verify.ts';

/** `activity` with its commands. */
export const activity = command('activity', {
  description: 'Read, verify and export the activity log of processes.',
  commands: [activityList, activityTotal, activityVerify, activityExport, activityAnchor],
});
