import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineScreenImport } from './import.ts';
import { defineScreenPerson } from './person.ts';

/** Adds `screen` and its commands to the command tree. */
export function defineScreen(program: Command, start: Start): void {
  const group = program.command('screen').summary('look for persons on lists');
  group.description('Look for persons on lists.').helpCommand(false);
  for (const define of [defineScreenPerson, defineScreenImport]) define(group, start);
}
