import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { collect } from '../../options.ts';
import { printable } from '../../output/index.ts';
import { namingOptions, readOptionFile } from '../option-values.ts';
import { useFlows, type WishOptions, wishFrom, wishNames } from './options.ts';

/** Adds `flow create` to the command tree. */
export function defineFlowCreate(group: Command, start: Start): void {
  const command = group
    .command('create')
    .summary('make a flow')
    .description('Make a flow: a kind of process with settings of its own.')
    .option('--name <name>', 'name that people see')
    .option('--type <type>', 'DropAndSign, FillAndSign, RenderFlow, …')
    .option('--language <code>', 'language of pages and mails (default: Is, Icelandic)')
    .option('--settings <file>', 'JSON with name, type, settings, meta; options come first')
    .option(
      '--set <name=value>',
      'one setting, such as expiresAfterDays=14; several times',
      collect,
    )
    .option('--css <file>', 'style sheet of the signing page')
    .option('--template <file>', 'form (PDF) of FillAndSign, template (JSON) of RenderFlow');
  documentCommand(command, {
    text: [
      'DropAndSign takes documents. FillAndSign fills a PDF form with values, RenderFlow renders ' +
        'a template with them; values come with each process.',
    ],
    examples: [
      [
        'innsigli flow create --name Contracts --type DropAndSign',
        'documents come with each process',
      ],
      ['innsigli flow create --name Order --type FillAndSign --template form.pdf', 'a form'],
      ['innsigli flow create --settings flow.json --set mayDecline=true', 'from a file'],
    ],
    exits: [
      [0, 'made; its key is printed'],
      [2, 'a value is missing or wrong'],
      [5, 'no such file'],
      [7, 'the form cannot be read'],
    ],
  });
  command.action((options: WishOptions, self: Command) =>
    start(self, (context) => runFlowCreate(options, context)),
  );
}

/** Makes the flow and prints its key. */
export async function runFlowCreate(
  options: WishOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const wish = wishFrom(options, io.cwd);
  const { template } = options;
  const bytes = template === undefined ? undefined : readOptionFile(template, io.cwd);
  const flow = await useFlows(context, async (flows) => {
    const { key } = await namingOptions(wishNames(options), () => flows.create(wish, bytes));
    return flows.show(key);
  });
  if (console.mode.json) {
    console.document({ v: 1, command: 'flow create', flow });
    return 0;
  }
  console.note(`made flow ${printable(flow.name)} (${flow.flowType})`);
  console.result(flow.flowKey);
  return 0;
}
