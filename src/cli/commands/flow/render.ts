import type { Command } from 'commander';
import { parseValues } from '../../../domain/flow/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { namingOptions, readInputText } from '../option-values.ts';
import { useFlows } from './options.ts';

interface RenderOptions {
  readonly values?: string;
  readonly output?: string;
  readonly force?: boolean;
}

/** Adds `flow render` to the command tree. */
export function defineFlowRender(group: Command, start: Start): void {
  const command = group
    .command('render')
    .summary('see the document that a flow makes')
    .description('Make the document of a flow from values, without a process.')
    .argument('<flow>', 'key of the flow')
    .option('--values <file>', 'JSON object of values, or - for stdin')
    .option('-o, --output <file>', 'the PDF (default: its own name)')
    .option('-f, --force', 'replace an existing file');
  documentCommand(command, {
    examples: [['innsigli flow render f10e… --values values.json -o out.pdf', 'try a form']],
    exits: [
      [0, 'made'],
      [2, 'the flow makes no documents, or the file exists'],
      [5, 'no such flow or file'],
      [7, 'the values do not fit'],
    ],
  });
  command.action((flow: string, options: RenderOptions, self: Command) =>
    start(self, (context) => runFlowRender(flow, options, context)),
  );
}

/** Makes the document and writes it. */
export async function runFlowRender(
  key: string,
  { values, output, force }: RenderOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const made = await namingOptions({ values: '--values' }, async () => {
    const given = values === undefined ? {} : parseValues(await readInputText(values, io));
    return useFlows(context, (flows) => flows.preview(key, given));
  });
  if (made === undefined) {
    return refuseUsage('expected a flow with a form or template, found one that makes no document');
  }
  const name = output ?? made.fileName;
  const { writeNewFile } = await import('../../files/index.ts');
  writeNewFile(name, made.pdf, { force: force === true }, io);
  if (name === '-') return 0;
  if (console.mode.json) {
    console.document({ v: 1, command: 'flow render', output: name, lengthBytes: made.pdf.length });
  } else console.path(name);
  return 0;
}
