import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useService } from '../../use-service.ts';
import { flowOf } from '../webhook/options.ts';

/** Adds `template list` to the command tree. */
export function defineTemplateList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('print the mail texts of a flow')
    .description('Print the mail texts that a flow has in place of the built-in ones.')
    .argument('[flow]', 'key of the flow; it may be left out where there is one')
    .option('--flow <key>', 'the same, as other commands have it');
  documentCommand(command, {
    examples: [['innsigli template list f1… --json', 'with the texts']],
    exits: [
      [0, 'printed, be it nothing'],
      [2, 'there are several flows, and none is named'],
      [5, 'no such flow'],
    ],
  });
  command.action((flow: string | undefined, options: { flow?: string }, self: Command) =>
    start(self, (context) => {
      if (flow !== undefined && options.flow !== undefined) {
        refuseUsage('--flow: expected the flow once, found it twice');
      }
      return runTemplateList(flow ?? options.flow, context);
    }),
  );
}

/** Prints one line for each text. */
export async function runTemplateList(
  flow: string | undefined,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const templates = await useService(context, async (service) =>
    service.templates.list(await flowOf(service, flow)),
  );
  if (console.mode.json) {
    console.document({ v: 1, command: 'template list', templates });
    return 0;
  }
  const { bold } = await console.style('stdout');
  for (const { id, templateType, language, to, subject } of templates) {
    const words = [templateType.padEnd(12), language.padEnd(6), printable(to), printable(subject)];
    console.result(`${bold(String(id).padStart(4))}  ${words.join('  ')}`);
  }
  if (templates.length === 0) console.note('the flow has the built-in texts');
  return 0;
}
