import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';

/** Texts that mention the program without naming a command. */
const notOfCommands =
  /(?:words|terms|texts|names)\.table\.ts$|fish-completion\.ts$|app\/reports\/html-style\.table/;
/** Flags of other programs, and forms such as `--no-X`, that messages mention. */
const foreignFlags = new Set([
  ...['--decrypt', '--interrupt-budget', '--max-bytecode-size-for-early-opt'],
  '--max-semi-space-size',
]);
/** A flag that is rejected with a message of its own. */
const refusedFlags = new Set(['--password']);
/** Words that may follow the name of the program without being a command. */
const prose = new Set(['itself', 'and', 'person', 'batch']);

const program = await buildProgram('0', () => Promise.resolve());
const allFlags = new Set(
  [program, ...descendants(program)].flatMap(({ options }) =>
    options.flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined)),
  ),
);
for (const flag of ['--help', '-h', '--version', '-V']) allFlags.add(flag);

function descendants(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !notOfCommands.test(path));
}

/** The texts of a source file without comments; a value in a text counts as one word. */
function textsOf(path: string): readonly string[] {
  const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm, '');
  const joined = code.replace(/'\s*\+\s*\n?\s*['`]/g, '');
  const found = joined.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  return [...found].map(([, plain = '', template = '']) =>
    (plain || template).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'VALUE'),
  );
}

interface Named {
  readonly path: string;
  readonly words: readonly string[];
}

/** Each `innsigli …` in the texts, up to the end of its clause. */
function commandsIn(path: string): readonly Named[] {
  return textsOf(path).flatMap((text) =>
    [...text.matchAll(/(?<![\w./@-])innsigli ((?:-|[a-z])[^;,()«»:"|<>&\n]*)/g)].map(
      ([, rest = '']) => ({
        path,
        words: rest
          .trim()
          .split(/\s+/)
          .map((word) => word.replace(/[.`'\\]+$/, '')),
      }),
    ),
  );
}

const all = sources('src')
  .flatMap(commandsIn)
  .filter(({ words: [first = ''] }) => !prose.has(first));

/** Why a command named in a text is invalid. */
function faultOf({ words }: Named): string | undefined {
  let command = program;
  let rest = words;
  for (let [next] = rest; next !== undefined; [next] = rest) {
    const child = command.commands.find(
      (each) => each.name() === next || each.aliases().includes(next as string),
    );
    if (child === undefined) break;
    command = child;
    rest = rest.slice(1);
  }
  const [first = ''] = rest;
  const isOption = first.startsWith('-');
  if (command === program && !isOption) return `no command «${first}»`;
  // A group does nothing by itself; a placeholder may replace its command.
  const isGroup =
    command.commands.length > 0 && command.registeredArguments.length === 0 && command !== program;
  if (isGroup && !isOption && !/^(VALUE|…|$)/.test(first)) {
    return `«${command.name()}» has no command «${first}»`;
  }
  for (const flag of rest.filter((word) => /^--?[a-z]/.test(word))) {
    const known = [command, program].flatMap(({ options }) =>
      options.flatMap(({ long, short }) => [long, short]),
    );
    if (![...known, '--help', '--version'].includes(flag.replace(/=.*$/, ''))) {
      return `«${command.name()}» has no option ${flag}`;
    }
  }
  return undefined;
}

describe('commands in the texts of the program', () => {
  test('are found in large number', () => {
    expect(all.length).toBeGreaterThan(150);
    expect(new Set(all.map(({ path }) => path)).size).toBeGreaterThan(50);
  });

  test('exist and accept the named options', () => {
    const faults = all.flatMap((named) => {
      const fault = faultOf(named);
      return fault === undefined
        ? []
        : [`${named.path}: innsigli ${named.words.join(' ')}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  test('flags named without a command belong to some command', () => {
    // Custom properties of style sheets start like flags.
    const styled = /^src\/(page\/|api\/pages\/style\.ts)/;
    const paths = sources('src').filter((path) => !styled.test(path));
    const hints = paths.flatMap((path) =>
      textsOf(path).flatMap((text) =>
        [...text.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*[a-z0-9]/g)].map(([flag]) => ({
          path,
          flag,
        })),
      ),
    );
    expect(hints.length).toBeGreaterThan(200);
    const unknown = hints.filter(
      ({ flag }) => ![allFlags, foreignFlags, refusedFlags].some((flags) => flags.has(flag)),
    );
    expect(unknown.map(({ path, flag }) => `${path}: ${flag}`)).toEqual([]);
  });

  test('nothing follows the command in a line with the next step', () => {
    const next = sources('src/cli').flatMap((path) =>
      textsOf(path)
        .filter((text) => /^Next\b.*innsigli/.test(text))
        .map((text) => `${path}: ${text}`),
    );
    const trailing = next.filter((line) =>
      / (sends?|delivers?|shows?|lists?|makes?)\b.*$/.test(line.split('innsigli')[1] ?? ''),
    );
    expect(trailing).toEqual([]);
  });
});
