import type { Command } from 'commander';
import type { Start } from '../context.ts';
import { defineActivityAnchor } from './activity-anchor.ts';
import { defineActivityExport } from './activity-export.ts';
import { defineActivityList } from './activity-list.ts';
import { defineActivityTotal } from './activity-total.ts';
import { defineActivityVerify } from './activity-verify.ts';

/** Adds `activity` and its commands to the command tree. */
export function defineActivity(program: Command, start: Start): void {
  const group = program.command('activity').summary('read and verify the activity log');
  group.description('Read, verify and export the activity log of processes.').helpCommand(false);
  for (const define of [
    defineActivityList,
    defineActivityTotal,
    defineActivityVerify,
    defineActivityExport,
    defineActivityAnchor,
  ]) {
    define(group, start);
  }
}
