import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineMessageList } from './list.ts';
import { defineMessageRetry } from './retry.ts';

/** Adds `message` and its commands to the command tree. */
export function defineMessage(program: Command, start: Start): void {
  const group = program.command('message').summary('mails and text messages on their way');
  group.description('Mails and text messages to people.').helpCommand(false);
  for (const define of [defineMessageList, defineMessageRetry]) define(group, start);
}
