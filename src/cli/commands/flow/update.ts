import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { printable } from '../../output/index.ts';
import { namingOptions, readOptionFile } from '../option-values.ts';
import { useFlows, type WishOptions, wishFrom, wishNames } from './options.ts';

interface UpdateOptions extends WishOptions {
  readonly activate?: boolean;
  readonly deactivate?: boolean;
}

/** Adds `flow update` to the command tree. */
export function defineFlowUpdate(group: Command, start: Start): void {
  const command = group
    .command('update')
    .summary('change a flow')
    .description('Change a flow. Processes that exist keep what they were made with.')
    .argument('<flow>', 'key of the flow')
    .option('--name <name>', 'name that people see')
    .option('--language <code>', 'language of pages and mails')
    .option('--activate', 'take new processes')
    .option('--deactivate', 'take no new processes')
    .option('--settings <file>', 'JSON with name, settings, meta; options come first')
    .option('--set <name=value>', 'one setting; null gives its default again', collect)
    .option('--css <file>', 'style sheet of the signing page')
    .option('--template <file>', 'another form (PDF) or template (JSON)');
  documentCommand(command, {
    examples: [
      ['innsigli flow update f10e… --set expiresAfterDays=14', 'two weeks to sign'],
      ['innsigli flow update f10e… --deactivate', 'no new processes'],
    ],
    exits: [
      [0, 'changed'],
      [2, 'a value is wrong, or nothing was given'],
      [5, 'no such flow or file'],
      [7, 'the form cannot be read'],
    ],
  });
  command.action((flow: string, options: UpdateOptions, self: Command) =>
    start(self, (context) => runFlowUpdate(flow, options, context)),
  );
}

/** Changes the flow. */
export async function runFlowUpdate(
  key: string,
  options: UpdateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const { template, activate, deactivate } = options;
  if (activate === true && deactivate === true) {
    refuseUsage('expected --activate or --deactivate, found both');
  }
  const isActive = activate === true ? true : deactivate === true ? false : undefined;
  const change = {
    ...wishFrom(options, io.cwd),
    ...(isActive === undefined ? {} : { isActive }),
  };
  if (Object.keys(change).length === 0 && template === undefined) {
    refuseUsage('expected something to change, found nothing', 'innsigli flow update --help');
  }
  const bytes = template === undefined ? undefined : readOptionFile(template, io.cwd);
  const flow = await useFlows(context, async (flows) => {
    await namingOptions(wishNames(options), () => flows.update(key, change, bytes));
    return flows.show(key);
  });
  if (console.mode.json) console.document({ v: 1, command: 'flow update', flow });
  else console.note(`changed flow ${printable(flow.name)}`);
  return 0;
}
