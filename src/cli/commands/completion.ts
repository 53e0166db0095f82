import { Argument, type Command } from 'commander';
import { documentCommand } from '../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../context.ts';

/** Shells that `completion` writes for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** Adds `completion` to the command tree. */
export function defineCompletion(program: Command, start: Start): void {
  const command = program
    .command('completion')
    .summary('print a completion script')
    .description('Print a completion script for a shell.')
    .addArgument(new Argument('<shell>', 'shell').choices(shells));
  documentCommand(command, {
    examples: [
      ['source <(innsigli completion bash)', 'in ~/.bashrc'],
      ['source <(innsigli completion zsh)', 'in ~/.zshrc, after compinit'],
      ['innsigli completion fish > ~/.config/fish/completions/innsigli.fish', 'once'],
    ],
    exits: [
      [0, 'printed'],
      [2, 'unknown shell'],
    ],
  });
  command.action((shell: (typeof shells)[number], _options: object, self: Command) =>
    start(self, (context) => runCompletion({ shell }, program, context)),
  );
}

/** Prints the script for a shell. */
export async function runCompletion(
  options: { readonly shell: (typeof shells)[number] },
  program: Command,
  { talk }: CommandContext,
): Promise<ExitCode> {
  const { completionScript } = await import('../guide/index.ts');
  talk.result(completionScript(options.shell, program));
  return 0;
}
