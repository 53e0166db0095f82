import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineActivityAnchor } from './anchor.ts';
import { defineActivityExport } from './export.ts';
import { defineActivityList } from './list.ts';
import { defineActivityTotal } from './total.ts';
import { defineActivityVerify } from './verify.ts';

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
