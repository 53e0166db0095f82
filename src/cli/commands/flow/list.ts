import type { Command } from 'commander';
import { flowTypes } from '../../../domain/flow/index.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { oneOf } from '../option-values.ts';
import { useFlows } from './options.ts';

interface ListOptions {
  readonly type?: string;
}

/** Adds `flow list` to the command tree. */
export function defineFlowList(group: Command, start: Start): void {
  const command = group
    .command('list')
    .summary('print the flows')
    .description('Print the flows of the company.')
    .option('--type <type>', 'only of this type');
  documentCommand(command, {
    examples: [['innsigli flow list', 'keys, types and names']],
    exits: [
      [0, 'printed'],
      [2, 'there is no such type'],
    ],
  });
  command.action((options: ListOptions, self: Command) =>
    start(self, (context) => runFlowList(options, context)),
  );
}

/** Prints one line for each flow. */
export async function runFlowList(
  options: ListOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const type = oneOf(flowTypes, options.type, '--type');
  const flows = await useFlows(context, (toolkit) => toolkit.list(type));
  if (console.mode.json) {
    console.document({ v: 1, command: 'flow list', flows });
    return 0;
  }
  const { bold, dim } = await console.style('stdout');
  const width = Math.max(0, ...flows.map(({ flowType }) => flowType.length));
  for (const { flowKey, flowType, name, active } of flows) {
    const note = active ? '' : `  ${dim('inactive')}`;
    console.result(`${bold(flowKey)}  ${flowType.padEnd(width)}  ${printable(name)}${note}`);
  }
  if (flows.length === 0) console.note('the company has no flow: innsigli flow create makes one');
  return 0;
}
