import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { useService } from '../../use-service.ts';
import { idNumber } from '../option-values.ts';

/** Adds `template delete` to the command tree. */
export function defineTemplateDelete(group: Command, start: Start): void {
  const command = group
    .command('delete')
    .summary('go back to the built-in text')
    .description('Delete a mail text: the built-in one is sent again.')
    .argument('<id>', 'number of the text');
  documentCommand(command, {
    examples: [['innsigli template delete 3', 'the numbers are in template list']],
    exits: [
      [0, 'deleted'],
      [5, 'no such text'],
    ],
  });
  command.action((id: string, _: object, self: Command) =>
    start(self, (context) => runTemplateDelete(id, context)),
  );
}

/** Deletes a text. */
export async function runTemplateDelete(text: string, context: CommandContext): Promise<ExitCode> {
  const { console } = context;
  const id = idNumber(text, 'a text');
  await useService(context, ({ templates }) => templates.delete(id));
  if (console.mode.json) console.document({ v: 1, command: 'template delete', id });
  else console.note('deleted');
  return 0;
}
