import type { Command, CommanderError } from 'commander';
import { InnsigliError } from '../base/errors.ts';

/**
 * Converts an error of the command-line parser to the common format of all errors.
 *
 * @param command full name of the requested command, with its groups; undefined for none
 * @param program the full tree: an option may belong to a different command
 */
export function usageError(
  thrown: CommanderError,
  command: string | undefined,
  program: Command,
): InnsigliError {
  const page = command === undefined ? 'innsigli --help' : `innsigli help ${command}`;
  if (thrown.code === 'commander.help') {
    return new InnsigliError('usage.invalid', 'expected a command, found none', {
      hint: `list the commands with ${page}`,
    });
  }
  // "error: unknown option '--foo'\n(Did you mean --force?)"
  const [first = '', ...rest] = thrown.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.*)\?\)/s.exec(rest.join(' '))?.[1];
  const general = generalHint(first) ?? `list commands and options with ${page}`;
  const similar = suggestion === undefined ? general : `did you mean ${suggestion}?`;
  const below = suggestion === undefined ? findBelow(first, command, program) : undefined;
  const hint = below ?? elsewhere(first, command, program) ?? similar;
  return new InnsigliError('usage.invalid', ourWords(thrown.code, first), { hint });
}

type Wording = readonly [pattern: RegExp, ours: (...found: string[]) => string];

/** Patterns of the parser's messages by code, and our messages: expected and found. */
const wordings: Readonly<Record<string, Wording>> = {
  'commander.missingArgument': [
    /^missing required argument '(.+)'$/s,
    (name) => `expected <${name}>, found none`,
  ],
  'commander.missingMandatoryOptionValue': [
    /^required option '(?:-\w, )?(.+)' not specified$/s,
    (flags) => `expected ${flags}, found none`,
  ],
  'commander.optionMissingArgument': [
    /^option '(?:-\w, )?(--\S+) (<.+>)' argument missing$/s,
    (name, value) => `${name}: expected ${value}, found none`,
  ],
  'commander.excessArguments': [
    /^too many arguments.*Expected (\d+) arguments? but got (\d+)\.$/s,
    (most, found) => `expected ${atMost(Number(most))}, found ${found}`,
  ],
  'commander.conflictingOption': [
    /^option '(?:-\w, )?(--\S+).*' cannot be used with option '(?:-\w, )?(--\S+).*'$/s,
    (one, other) => `expected ${one} or ${other}, found both`,
  ],
};

function ourWords(code: string, sentence: string): string {
  const [pattern, ours] = wordings[code] ?? [];
  const [, ...found] = pattern?.exec(sentence) ?? [];
  return found.length === 0 || ours === undefined ? sentence : ours(...found);
}

function atMost(count: number): string {
  if (count === 0) return 'no argument';
  return count === 1 ? 'at most one argument' : `at most ${count} arguments`;
}

function generalHint(message: string): string | undefined {
  if (message.includes("'--password'")) {
    return 'name a file: --password-file FILE for keys, --pdf-password-file FILE for documents';
  }
  const file = /^unknown option '(-[^-].*\.\w+)'$/s.exec(message)?.[1];
  return file === undefined ? undefined : `to name a file write ./${file}`;
}

/** The commands of this name below the requested group, with their full names. */
function findBelow(
  message: string,
  group: string | undefined,
  program: Command,
): string | undefined {
  const name = /^unknown command '(.+)'$/s.exec(message)?.[1];
  if (name === undefined || group === undefined) return undefined;
  const found = leavesOf(program).filter(
    (leaf) => leaf.name() === name && nameOf(leaf).startsWith(`${group} `),
  );
  const lines = found.map((leaf) => `innsigli ${nameOf(leaf)}`);
  return lines.length === 0 ? undefined : lines.join(' or ');
}

/** Maximum number of commands listed for an option. */
const NAMED_AT_MOST = 4;

/** The commands that have an option which the requested one lacks. */
function elsewhere(
  message: string,
  command: string | undefined,
  program: Command,
): string | undefined {
  const option = /^unknown option '(--[a-z0-9-]+)/.exec(message)?.[1];
  if (option === undefined || command === undefined) return undefined;
  const owners = leavesOf(program).filter(({ options }) =>
    options.some(({ long }) => long === option),
  );
  const names = owners.map((owner) => nameOf(owner));
  if (names.length === 0) return undefined;
  const named = names.length > NAMED_AT_MOST ? [...names.slice(0, 3), 'others'] : names;
  const list = [named.slice(0, -1).join(', '), named.at(-1)].filter((part) => part !== '');
  const rest = `list those of ${command} with innsigli help ${command}`;
  return `${option} belongs to ${list.join(' and ')}; ${rest}`;
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function nameOf(command: Command): string {
  const { parent } = command;
  const isInGroup = parent !== null && parent.parent !== null;
  return isInGroup ? `${nameOf(parent)} ${command.name()}` : command.name();
}
