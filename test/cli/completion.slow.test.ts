import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { locales } from '../../src/base/words/locale.ts';
import { placesOf } from '../../src/cli/guide/completion-places.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { openFakeCli } from './support/fake-cli.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What bash offers for a command line whose last word is being typed. */
async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await openFakeCli().run(['completion', 'bash']);
  const quoted = ['innsigli', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${stdout}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _innsigli; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout: offered } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  return offered.split('\n').filter((word) => word !== '');
}

describe.skipIf(!hasBash)('bash completion (skipped without bash)', () => {
  test.each([
    [['sea'], ['seal', 'seal-xml']],
    [['tsa', ''], ['serve']],
    [['config', 'ex'], ['explain']],
    [['seal', 'a.pdf', '--lev'], ['--level']],
    [
      ['seal', 'a.pdf', '--level', ''],
      ['B-B', 'B-T', 'B-LT', 'B-LTA'],
    ],
    [
      ['seal', 'a.pdf', '--corner', 'bottom'],
      ['bottom-left', 'bottom-right'],
    ],
    [
      ['seal', 'a.pdf', '--level', '='],
      ['B-B', 'B-T', 'B-LT', 'B-LTA'],
    ],
    [
      ['seal', 'a.pdf', '--level', '=', 'B-L'],
      ['B-LT', 'B-LTA'],
    ],
    [['--company', '=', 'acme', 'config', 'ex'], ['explain']],
    [['seal', 'a.pdf', '--language', 'i'], ['is']],
    [['seal', 'a.pdf', '--page', 'l'], ['last']],
    [
      ['compliance', 'individual', 'evaluate', '--level', ''],
      ['low', 'medium', 'high'],
    ],
    [['screen', 'customer', 'add', '--risk-level', 'h'], ['high']],
    [['process', 'create', 'a.pdf', '--location', 'Top'], ['TopFirstPage']],
    [['verify', 'a.pdf', '--revocation', 'r'], ['require']],
    [['flow', 'create', '--language', 'I'], ['Is']],
    [['flow', 'create', '--type', 'Fill'], ['FillAndSign']],
    [
      ['template', 'put', '--language', 'N'],
      ['NotSet', 'Nb'],
    ],
    [['webhook', 'update', '--schedule', 'e'], ['extended']],
    [['--json', 'tsa', 'serve', '--p'], ['--port']],
    [['completion', 'f'], ['fish']],
    [['completion', 'k'], ['keys']],
    [['help', 'exit'], ['exit-codes']],
    [['seal', 'package-l'], ['package-lock.json']],
    [['seal', 'a.pdf', 'package-l'], ['package-lock.json']],
    [['seal', 'a.pdf', '--key', 'package-l'], ['package-lock.json']],
    // One word, as zsh passes it.
    [
      ['seal', 'a.pdf', '--level=B-L'],
      ['--level=B-LT', '--level=B-LTA'],
    ],
    [['seal', 'a.pdf', '--key=package-l'], ['--key=package-lock.json']],
    [['help', 'tsa', 'exit'], ['exit-codes']],
    [['webhook', 'trigger', 'AllS'], ['AllSigned']],
    [['completion', 'keys', 'sequ'], ['sequence']],
    // No files where none are possible: for texts, after the last argument, in a group.
    [['trust', 'show', 'pack'], []],
    [['auth', 'cancel', 'pack'], []],
    [['company', 'list', 'pack'], []],
    [['tsa', 'pack'], []],
    [['seal', 'a.pdf', '--reason', 'pack'], []],
    [['seal', 'a.pdf', '--reason=pack'], []],
    [['webhook', 'update', '3', 'pack'], []],
  ])('completes %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

test('fish completion offers corners, languages and pages', async () => {
  const { stdout } = await openFakeCli().run(['completion', 'fish']);
  expect(stdout).toMatch(/-l corner -r -f -a 'top-left top-right bottom-left bottom-right'/);
  expect(stdout).toMatch(/-l language -r -f -a 'is en /);
  expect(stdout).toMatch(/-l page -r -f -a '1 last'/);
});

test('completion offers exactly the languages of the visible seal', async () => {
  const { stdout } = await openFakeCli().run(['completion', 'fish']);
  expect(stdout).toContain(`-l language -r -f -a '${locales.join(' ')}'`);
});

// A new argument that takes a file must be recognised as such.
test('exactly the arguments whose help mentions a file are completed as files', async () => {
  const program = await buildProgram('0', async () => undefined as never);
  const places = new Map(placesOf(program).map((place) => [place.path, place.takes]));
  const told: string[] = [];
  const known: string[] = [];
  const look = (command: typeof program, path: string) => {
    for (const [at, argument] of command.registeredArguments.entries()) {
      const name = `${path} ${argument.name()}`;
      const speaks = /\b(?:files?|folders|CSV|PDF or|PNG or|the document|output of|documents)\b/;
      if (speaks.test(argument.description)) told.push(name);
      if (places.get(path)?.[at] === 'file') known.push(name);
    }
    for (const one of command.commands) look(one, `${path} ${one.name()}`.trim());
  };
  look(program, '');
  expect(known).toEqual(told);
  expect(known).toContain('screen lists import file');
});

test.each(['bash', 'zsh', 'fish'])('the %s script contains every command', async (shell) => {
  const { stdout } = await openFakeCli().run(['completion', shell]);
  for (const word of ['seal', 'archive', 'verify', 'init', 'doctor', 'explain', 'serve', 'p12']) {
    expect(stdout).toContain(word);
  }
});
