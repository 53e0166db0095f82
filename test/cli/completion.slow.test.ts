import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { locales } from '../../src/base/words/locale.ts';
import { openFakeCli } from './support/fake-cli.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What bash offers for the words of a line, the last of which is being typed. */
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
  ])('the beginning %j is completed', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

test('fish offers corners, languages and pages', async () => {
  const { stdout } = await openFakeCli().run(['completion', 'fish']);
  expect(stdout).toMatch(/-l corner -r -f -a 'top-left top-right bottom-left bottom-right'/);
  expect(stdout).toMatch(/-l language -r -f -a 'is en /);
  expect(stdout).toMatch(/-l page -r -f -a '1 last'/);
});

test('the languages that are offered are those of the seal', async () => {
  const { stdout } = await openFakeCli().run(['completion', 'fish']);
  expect(stdout).toContain(`-l language -r -f -a '${locales.join(' ')}'`);
});

test.each(['bash', 'zsh', 'fish'])('%s: every command is in the script', async (shell) => {
  const { stdout } = await openFakeCli().run(['completion', shell]);
  for (const word of ['seal', 'archive', 'verify', 'init', 'doctor', 'explain', 'serve', 'p12']) {
    expect(stdout).toContain(word);
  }
});
