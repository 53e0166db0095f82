import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineFlowCreate } from './create.ts';
import { defineFlowList } from './list.ts';
import { defineFlowRender } from './render.ts';
import { defineFlowSchema } from './schema.ts';
import { defineFlowShow } from './show.ts';
import { defineFlowUpdate } from './update.ts';

/** Adds `flow` and its commands to the command tree. */
export function defineFlow(program: Command, start: Start): void {
  const group = program.command('flow').summary('kinds of processes and the documents they make');
  group.description('Make and change flows: kinds of processes of a company.').helpCommand(false);
  for (const define of [
    defineFlowCreate,
    defineFlowList,
    defineFlowShow,
    defineFlowUpdate,
    defineFlowSchema,
    defineFlowRender,
  ]) {
    define(group, start);
  }
}
