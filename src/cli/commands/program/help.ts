import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { helpWidth } from '../../output/index.ts';

/** Adds `help` to the command tree. */
export function defineHelp(program: Command, start: Start): void {
  const command = program
    .command('help')
    .summary('help on a command or a topic')
    .description('Show help on a command or a topic.')
    .argument('[name...]', 'command, or configuration, environment, exit-codes, output');
  documentCommand(command, {
    examples: [
      ['innsigli help seal', 'as innsigli seal --help'],
      ['innsigli help exit-codes', 'a topic'],
    ],
    exits: [
      [0, 'shown'],
      [2, 'no such command or topic'],
    ],
  });
  command.action((names: string[], _options: object, self: Command) =>
    start(self, (context) => runHelp(names, program, context)),
  );
}

/** Prints a topic or the help of a command. */
export async function runHelp(
  names: readonly string[],
  program: Command,
  { io, console }: CommandContext,
): Promise<ExitCode> {
  const { topics } = await import('../../guide/index.ts');
  const topic = names.length === 1 ? topics[names[0] ?? ''] : undefined;
  if (topic !== undefined) {
    console.result(topic.lines(helpWidth(io.stdout)));
    return 0;
  }
  let command = program;
  for (const name of names) {
    const child = command.commands.find((one) => one.name() === name);
    if (child === undefined) {
      const known = [...command.commands.map((one) => one.name()), ...Object.keys(topics)];
      refuseUsage(`no command or topic "${name}"`, `known: ${known.join(', ')}`);
    }
    command = child;
  }
  command.outputHelp();
  return 0;
}
