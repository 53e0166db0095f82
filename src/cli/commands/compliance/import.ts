import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { readInputText } from '../option-values.ts';

/** Adds `compliance import` to the command tree. */
export function defineComplianceImport(group: Command, start: Start): void {
  const command = group
    .command('import')
    .summary('record what a CSV file says')
    .description('Record what a CSV file says of persons and businesses: all of it, or nothing.')
    .argument('<csv>', 'file with a first row of column names, or - for stdin');
  documentCommand(command, {
    text: [
      'Columns: kind (person, business), name, ssn, email, phone, pep_found, risk_evaluated, ' +
        'compliance_type (PEP, AML, MIFID), answered_date, next_date, flow_key. Several rows ' +
        'about the same person become one record with one requirement each.',
      'Answers are yes or no (true, 1, x; false, 0); an empty cell says nothing. Of more rows, ' +
        'pep_found counts when one says yes, risk_evaluated when one says yes and none says no. ' +
        'A word, column or row that is not understood refuses the file, and each is named. Cells ' +
        'are parted by commas, semicolons or tabs, as the first row has them; the text is UTF-8.',
    ],
    examples: [['innsigli compliance import customers.csv', 'all rows, or none']],
    exits: [
      [0, 'recorded'],
      [2, 'a row cannot be used; nothing was recorded'],
      [5, 'no such file'],
    ],
  });
  command.action((csv: string, _: object, self: Command) =>
    start(self, (context) => runComplianceImport(csv, context)),
  );
}

/** Records the rows and prints how many records they made. */
export async function runComplianceImport(
  path: string,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const text = await readInputText(path, io);
  const records = await useService(context, ({ compliance }) => compliance.import(text));
  if (console.mode.json) console.document({ v: 1, command: 'compliance import', records });
  else console.note(`recorded: ${records}`);
  return 0;
}
