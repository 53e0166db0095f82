import type { Command } from 'commander';
import { buildProgram } from '../../../src/cli/program.ts';

/** What a command does with a file it is given. */
export type FileUse = 'input' | 'setting' | 'output';

/** An option or argument of a command line that takes the name of a file or folder. */
export interface FilePlace {
  readonly command: string;
  /** Long name of the option, or the argument as `<file>`. */
  readonly place: string;
  readonly use: FileUse;
}

/** A command that performs an action; its name includes its groups. */
export interface Leaf {
  readonly name: string;
  readonly command: Command;
}

const fileArguments: ReadonlySet<string> = new Set(
  'inputs pdf plan file csv html body bundle'.split(' '),
);
const outputs: ReadonlySet<string> = new Set('--output --report --write-report --view'.split(' '));
/** Their errors are configuration errors, as if a settings file named them. */
const settings: ReadonlySet<string> = new Set(
  (
    '--key --cert --chain --p12 --password-file --pdf-password-file --tsa-password-file --trust ' +
    '--validation-data --algorithm-policy --signer --certificates --tls-key --tls-cert ' +
    '--tls-password-file --operator-token'
  ).split(' '),
);
/**
 * Excluded: names of files that are not opened, files created when missing, files written during a
 * login, and commands that report faulty files instead of failing.
 */
const leftOut: readonly RegExp[] = [
  /^process create --name$/,
  /--(?:out-dir|extract)$/,
  /--qr-file$/,
  /^(?:doctor|config explain) /,
];

/** Every command that performs an action. */
export async function leavesOfProgram(): Promise<readonly Leaf[]> {
  const walk = (command: Command, name: string): readonly Leaf[] =>
    command.commands.length === 0
      ? [{ name, command }]
      : command.commands.flatMap((each) => walk(each, `${name} ${each.name()}`.trim()));
  return walk(await buildProgram('1', async () => undefined), '');
}

/** The options and arguments of a command that take the name of a file or folder. */
export function filePlacesOf({ name, command }: Leaf): readonly FilePlace[] {
  const fromArguments = command.registeredArguments
    .filter((argument) => fileArguments.has(argument.name()))
    .map((argument) => ({ place: `<${argument.name()}>`, use: 'input' as const }));
  const fromOptions = command.options
    .filter(({ flags }) => /<(?:file|path|folder|export|json)>$/.test(flags))
    .map(({ long }) => long ?? '')
    .map((place) => ({ place, use: useOf(name, place) }));
  return [...fromArguments, ...fromOptions]
    .filter(({ place }) => !leftOut.some((pattern) => pattern.test(`${name} ${place}`)))
    .map((each) => ({ command: name, ...each }));
}

function useOf(command: string, option: string): FileUse {
  if (outputs.has(option)) return 'output';
  const isPolicy = option === '--policy' && command !== 'seal-xml';
  return isPolicy || settings.has(option) ? 'setting' : 'input';
}
