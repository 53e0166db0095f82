import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import {
  addFilterOptions,
  type FilterOptions,
  filterInput,
  readQuery,
  useActivity,
} from './options.ts';

/** Adds `activity total` to the command tree. */
export function defineActivityTotal(group: Command, start: Start): void {
  const command = group
    .command('total')
    .summary('count processes')
    .description('Print how many processes the options choose.');
  addFilterOptions(command);
  documentCommand(command, {
    examples: [['innsigli activity total --from 2026-01-01 --status Completed', 'this year']],
    exits: [
      [0, 'printed'],
      [2, 'an option is wrong'],
    ],
  });
  command.action((options: FilterOptions, self: Command) =>
    start(self, (context) => runActivityTotal(options, context)),
  );
}

/** Prints how many processes the options choose. */
export async function runActivityTotal(
  options: FilterOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const query = readQuery(filterInput(options, io.now()));
  const { total } = await useActivity(context, (toolkit) => toolkit.total(query));
  if (console.mode.json) console.document({ v: 1, command: 'activity total', total });
  else console.result(String(total));
  return 0;
}
