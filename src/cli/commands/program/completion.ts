import { Argument, type Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { findKeys, type KeyKind, keyKinds } from '../../short-keys.ts';
import { useService } from '../../use-service.ts';

/** Shells that `completion` writes for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

type Word = (typeof shells)[number] | 'keys';

/** Adds `completion` to the command tree. */
export function defineCompletion(program: Command, start: Start): void {
  const command = program
    .command('completion')
    .summary('print a completion script')
    .description('Print a completion script for a shell, or the keys that it offers.')
    .addArgument(new Argument('<shell>', 'shell, or keys').choices([...shells, 'keys']))
    .addArgument(new Argument('[kind]', 'keys of this kind').choices(keyKinds))
    .argument('[of]', 'keys of signees: the process; keys of persons: the sequence');
  documentCommand(command, {
    text: [
      'A command takes the beginning of a key, too, when no other key begins so: of processes, ' +
        'sequences, signees, persons, flows, messages and deliveries. Webhooks have numbers, ' +
        'which are given whole.',
    ],
    examples: [
      ['source <(innsigli completion bash)', 'in ~/.bashrc'],
      ['source <(innsigli completion zsh)', 'in ~/.zshrc, after compinit'],
      ['innsigli completion fish > ~/.config/fish/completions/innsigli.fish', 'once'],
      ['innsigli completion keys process', 'keys and names, as the scripts ask for them'],
    ],
    exits: [
      [0, 'printed'],
      [2, 'unknown shell'],
    ],
  });
  command.action(
    (word: Word, kind: KeyKind | undefined, whole: string | undefined, _: object, self: Command) =>
      start(self, (context) => {
        if (word === 'keys') return runCompletionKeys(kind, whole, context);
        if (kind !== undefined) refuseUsage(`${word}: expected no kind of key beside it`);
        return runCompletion({ shell: word }, program, context);
      }),
  );
}

/** Prints the script for a shell. */
export async function runCompletion(
  options: { readonly shell: (typeof shells)[number] },
  program: Command,
  { console }: CommandContext,
): Promise<ExitCode> {
  const { completionScript } = await import('../../guide/index.ts');
  console.result(completionScript(options.shell, program));
  return 0;
}

/** Prints keys with their names, one a line, the newest first. */
export async function runCompletionKeys(
  kind: KeyKind | undefined,
  whole: string | undefined,
  context: CommandContext,
): Promise<ExitCode> {
  if (kind === undefined) return refuseUsage(`keys: expected one of ${keyKinds.join(', ')}`);
  const { console } = context;
  const found = await useService(context, (service) => findKeys(service, kind, '', whole));
  if (console.mode.json) {
    console.document({ v: 1, command: 'completion', keys: found });
    return 0;
  }
  for (const { key, name } of found) console.result(`${key}\t${printable(name)}`);
  return 0;
}
