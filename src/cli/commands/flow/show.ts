import type { Command } from 'commander';
import type { FlowDetails } from '../../../app/flow/index.ts';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { useFlows } from './options.ts';

interface ShowOptions {
  readonly css?: boolean;
}

/** Adds `flow show` to the command tree. */
export function defineFlowShow(group: Command, start: Start): void {
  const command = group
    .command('show')
    .summary('print a flow with its settings')
    .description('Print a flow with its settings, and the fields of its form.')
    .argument('<flow>', 'key of the flow')
    .option('--css', 'print its style sheet instead');
  documentCommand(command, {
    examples: [['innsigli flow show f10e… --json', 'for programs']],
    exits: [
      [0, 'printed'],
      [5, 'no such flow'],
    ],
  });
  command.action((flow: string, options: ShowOptions, self: Command) =>
    start(self, (context) => runFlowShow(flow, options, context)),
  );
}

/** Prints the flow. */
export async function runFlowShow(
  key: string,
  options: ShowOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  if (options.css === true) {
    const css = await useFlows(context, (flows) => flows.css(key));
    if (console.mode.json) console.document({ v: 1, command: 'flow show', css });
    else if (css !== '') console.result(css);
    return 0;
  }
  const flow = await useFlows(context, (flows) => flows.show(key));
  if (console.mode.json) {
    console.document({ v: 1, command: 'flow show', flow });
    return 0;
  }
  const style = await console.style('stdout');
  for (const [name, value] of rowsOf(flow)) {
    console.result(`${style.bold(name.padEnd(20))}  ${printable(value)}`);
  }
  return 0;
}

function rowsOf({ fields = [], ...flow }: FlowDetails): readonly (readonly [string, string])[] {
  const members = Object.entries(flow).map(([name, value]): readonly [string, string] => {
    const isPlain = typeof value !== 'object';
    return [name, isPlain ? String(value) : JSON.stringify(value)];
  });
  const forms = fields.map(({ name, kind, isRequired, options }): readonly [string, string] => {
    const choices = options === undefined ? '' : `: ${options.join(', ')}`;
    return [`field ${name}`, `${kind}${choices}${isRequired ? ' (required)' : ''}`];
  });
  return [...members, ...forms];
}
