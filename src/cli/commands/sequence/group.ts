import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineSequenceCancel } from './cancel.ts';
import { defineSequenceCreate } from './create.ts';
import { defineSequenceList } from './list.ts';
import { defineSequenceShow } from './show.ts';

/** Adds `sequence` and its commands to the command tree. */
export function defineSequence(program: Command, start: Start): void {
  const group = program.command('sequence').summary('several documents signed together');
  group.description('Take several documents for signature, as one.').helpCommand(false);
  defineSequenceCreate(group, start);
  defineSequenceShow(group, start);
  defineSequenceList(group, start);
  defineSequenceCancel(group, start);
}
