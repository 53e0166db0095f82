import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { readInputText } from '../option-values.ts';

/** Adds `screen import` to the command tree. */
export function defineScreenImport(group: Command, start: Start): void {
  const command = group
    .command('import')
    .summary('import a list')
    .description('Import a list of persons from a CSV file, in the place of the one of that name.')
    .argument('<csv>', 'file with a first row of column names, or - for stdin')
    .requiredOption('--list <name>', 'name of the list');
  documentCommand(command, {
    text: [
      'Columns: category (codes joined by a slash), first_name, middle_name, last_name, aliases, ' +
        'gender, date_of_birth, place_of_birth, deceased, countries, nationality, location, ' +
        'information, role, role_status, role_country, list, list_description. Several values ' +
        'of one cell are parted by a semicolon. At most 50,000 rows.',
    ],
    examples: [['innsigli screen import board.csv --list board', 'all rows, or none']],
    exits: [
      [0, 'imported'],
      [2, 'a row cannot be used; nothing was changed'],
      [5, 'no such file'],
    ],
  });
  command.action((csv: string, options: { readonly list: string }, self: Command) =>
    start(self, (context) => runScreenImport(csv, options, context)),
  );
}

/** Imports the list and prints how many entries it has. */
export async function runScreenImport(
  path: string,
  { list }: { readonly list: string },
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const text = await readInputText(path, io);
  const entries = await useService(context, ({ screening }) => screening.importList(list, text));
  if (console.mode.json) console.document({ v: 1, command: 'screen import', list, entries });
  else console.note(`imported: ${entries}`);
  return 0;
}
