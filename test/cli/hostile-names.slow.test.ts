import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printable, shellWord, terminalText } from '../../src/cli/output/index.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';

/** Characters that a terminal obeys, reorders or hides. */
const hostile = [
  ...['\u0007', '\u0008', '\n', '\r', '\u001b]0;owned\u0007', '\u001b[2J', '\u001b[31m', '\u007f'],
  ...['\u009b2J', '\u0085', '\u2028', '\u202e', '\u2066', '\u061c', '\u200f', '\ufeff', '\u206e'],
];
const stream = hostile.join('x');
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours.
const paints = /\u001b\[(?:[12]|22|3[1236]|39)m/g;

test('names are printable, survive the shell unchanged and stay valid in JSON', () => {
  expect(printable(stream)).not.toMatch(/[\n\t]/);
  expect(printable(stream)).not.toMatch(forbidden);
  const shown = terminalText(stream, false);
  expect(shown).not.toMatch(forbidden);
  expect(terminalText('a\u001b[31mb\u001b[35m', true)).toBe('a\u001b[31mb\\u001b[35m');
  const json = JSON.stringify({ name: stream });
  expect(JSON.parse(terminalText(json, true))).toEqual({ name: stream });
  for (const shell of ['bash', 'zsh']) {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) {
      console.warn(`SKIPPED shell words in ${shell}: it is not installed`);
      continue;
    }
    for (const name of [...hostile, stream, "it's\\\u001b", 'plain', "a 'b'"]) {
      const word = shellWord(`a${name}b`);
      expect(word).not.toMatch(forbidden);
      const { stdout } = spawnSync(shell, ['-c', `printf %s ${word}`], { encoding: 'utf8' });
      expect(stdout).toBe(`a${name}b`);
    }
  }
});

test('a name that zsh would expand to the path of a command is quoted', () => {
  expect(shellWord('=cmd.pdf')).toBe("'=cmd.pdf'");
  expect(shellWord('a=b.pdf')).toBe('a=b.pdf');
});

describe('hostile file names', () => {
  const pdf = readFileSync('fixtures/pdf/agreement.pdf');
  const run = (args: readonly string[], setup: CliSetup, names: readonly string[]) => {
    const cli = openFakeCli();
    for (const name of names) cli.write(name, pdf);
    return { cli, call: (words: readonly string[]) => cli.run(words, setup), args };
  };
  const home = (cli: { folder: string }) => ['--data-dir', join(cli.folder, '.home', 'data')];
  const table = [true, false].flatMap((colour) =>
    hostile.map((mark) => [JSON.stringify(mark), colour ? 'colour' : 'none', mark] as const),
  );
  test.each(table)(
    '%s, %s are shown harmlessly by seal, verify and errors',
    async (_, colour, mark) => {
      const name = `a${mark}b.pdf`;
      const setup: CliSetup = {
        terminals: ['stdout', 'stderr'],
        env: colour === 'colour' ? {} : { NO_COLOR: '1' },
        io: { openToolkit: async (config, io) => openToolkit(config, io) },
      };
      const { cli, call } = run([], setup, [name]);
      const where = home(cli);
      const runs = [
        await call(['seal', name, '--level', 'B-B', '-v', ...where]),
        await call(['seal', name, '--level', 'B-B', ...where]),
        await call(['verify', `a${mark}b.sealed.pdf`, ...where]),
        await call(['verify', `a${mark}b.sealed.pdf`, '--json', ...where]),
        await call(['verify', `none${mark}.pdf`, ...where]),
        await call(['archive', name, ...where]),
        await call(['seal', '.', '--dry-run', '--out-dir', 'out', ...where]),
        await call(['seal', '.', '--level', 'B-B', '--out-dir', `o${mark}`, ...where]),
        await call([`seal${mark}`]),
        await call(['seal', `--x${mark}`]),
      ];
      expect(runs[0]?.exitCode).toBe(0);
      const shown = runs.map(({ stdout, stderr }) => stdout + stderr).join('');
      expect(shown.replace(paints, '')).not.toMatch(forbidden);
      // No line that starts with text of a name, and no colour set by a name.
      expect(shown).not.toMatch(/^x?b\.(sealed\.)?pdf/m);
      expect(shown).not.toContain(`a${mark}b`);
    },
  );

  test('stdout contains the exact path when it is not a terminal', async () => {
    const name = 'a\u001b[2Jb.pdf';
    const { cli, call } = run([], { io: { openToolkit: async (c, io) => openToolkit(c, io) } }, [
      name,
    ]);
    const sealed = await call(['seal', name, '--level', 'B-B', ...home(cli)]);
    expect(existsSync(join(cli.folder, sealed.stdout.trimEnd()))).toBe(true);
  });
});
