import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineStoreAdopt } from './adopt.ts';
import { defineStoreClock } from './clock.ts';
import { defineStoreCollect } from './collect.ts';
import { defineStoreShow } from './show.ts';

/** Adds `store` and its commands to the command tree. */
export function defineStore(program: Command, start: Start): void {
  const group = program.command('store').summary('database and stored contents as a whole');
  group
    .description('The database of the service and the contents of documents beside it.')
    .helpCommand(false);
  for (const define of [defineStoreShow, defineStoreCollect, defineStoreAdopt, defineStoreClock]) {
    define(group, start);
  }
}
