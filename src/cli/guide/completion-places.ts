import type { Argument, Command, Option } from 'commander';
import { offeredWords } from '../command/index.ts';
import { type KeyKind, keyKinds } from '../short-keys.ts';
import { topics } from './topics.ts';

interface Word {
  readonly name: string;
  readonly text: string;
}

/** What is accepted at a position: one of some words, a key, a file name, or any other text. */
export type Takes = { readonly words: readonly string[] } | KeyKind | 'file' | 'text';

/** A command with its completions. */
export interface Place {
  /** Words after the program name, as in `tsa serve`. */
  readonly path: string;
  readonly subcommands: readonly Word[];
  /** Its own options; those of the program belong to its place, and are accepted everywhere. */
  readonly options: readonly Option[];
  /** Kinds of the arguments in order; `repeats`: the last one may be repeated. */
  readonly takes: readonly Takes[];
  readonly repeats: boolean;
}

/** Names in the help of arguments and option values that are files or folders. */
const fileForms: ReadonlySet<string> = new Set([
  ...['inputs', 'file', 'folder', 'path', 'pdf', 'plan', 'csv', 'html', 'bundle', 'body'],
  ...['export', 'json'],
]);

/** Options whose value is a key. */
const keyOptions: Readonly<Record<string, KeyKind>> = {
  '--flow': 'flow',
  '--flow-key': 'flow',
  '--process': 'process',
  '--webhook': 'webhook',
};

/** The places of a command and its subcommands, the command first. */
export function placesOf(command: Command, path = '', program = command): readonly Place[] {
  const { commands, registeredArguments: given } = command;
  const subcommands = commands.map((one) => ({ name: one.name(), text: one.summary() }));
  const place: Place = {
    ...{ path, subcommands },
    options: command.options.filter(({ hidden }) => !hidden),
    takes: subcommands.length > 0 ? [] : given.map((one) => takenBy(one, command, program)),
    repeats: given.at(-1)?.variadic === true,
  };
  const children = commands.flatMap((one) =>
    placesOf(one, path === '' ? one.name() : `${path} ${one.name()}`, program),
  );
  return [place, ...children];
}

function takenBy(argument: Argument, command: Command, program: Command): Takes {
  const words = offeredWords(argument);
  if (command.parent !== program || command.name() !== 'help') {
    return takesOf(argument.name(), words);
  }
  return { words: [...program.commands.map((one) => one.name()), ...Object.keys(topics)] };
}

/** What the value of an option may be. Undefined for an option without a value. */
export function valueTakes(option: Option): Takes | undefined {
  if (!option.required) return undefined;
  const key = keyOptions[option.long ?? ''];
  const [, form = ''] = /<([^>]+)>$/.exec(option.flags) ?? [];
  return key ?? takesOf(form, offeredWords(option));
}

function takesOf(form: string, words: readonly string[]): Takes {
  if (words.length > 0) return { words };
  return keyKinds.find((kind) => kind === form) ?? (fileForms.has(form) ? 'file' : 'text');
}
