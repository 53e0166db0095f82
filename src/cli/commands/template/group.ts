import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineTemplateDelete } from './delete.ts';
import { defineTemplateList } from './list.ts';
import { defineTemplatePut } from './put.ts';

/** Adds `template` and its commands to the command tree. */
export function defineTemplate(program: Command, start: Start): void {
  const group = program.command('template').summary('mail texts of your own');
  group.description('Mail texts in place of the built-in ones.').helpCommand(false);
  for (const define of [defineTemplatePut, defineTemplateList, defineTemplateDelete]) {
    define(group, start);
  }
}
