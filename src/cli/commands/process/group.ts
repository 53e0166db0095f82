import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineProcessChanges } from './change.ts';
import { defineProcessCreate } from './create.ts';
import { defineProcessDocument } from './document.ts';
import { defineProcessList } from './list.ts';
import { defineProcessShow } from './show.ts';
import { defineSignee } from './signee-group.ts';

/** Adds `process` and its commands to the command tree. */
export function defineProcess(program: Command, start: Start): void {
  const group = program.command('process').summary('documents under signature');
  group.description('Take documents for signature and follow them.').helpCommand(false);
  for (const define of [
    defineProcessCreate,
    defineProcessShow,
    defineProcessList,
    defineProcessDocument,
    defineProcessChanges,
    defineSignee,
  ]) {
    define(group, start);
  }
}
