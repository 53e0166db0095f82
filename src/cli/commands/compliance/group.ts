import type { Command } from 'commander';
import type { Start } from '../../context.ts';
import { defineComplianceImport } from './import.ts';
import { defineComplianceRecord } from './record.ts';
import { defineComplianceStatus } from './status.ts';

/** Adds `compliance` and its commands to the command tree. */
export function defineCompliance(program: Command, start: Start): void {
  const group = program.command('compliance').summary('what is known of persons and businesses');
  group.description('The compliance register of the company.').helpCommand(false);
  for (const define of [defineComplianceRecord, defineComplianceImport, defineComplianceStatus]) {
    define(group, start);
  }
}
