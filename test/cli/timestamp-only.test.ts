import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../support/sealing.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const setup = realToolkit();

function open() {
  const cli = openFakeCli({ 'minutes.txt': 'minutes', 'b.txt': 'more' });
  cli.write('a.pdf', fixture('agreement.pdf'));
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const stamp = (...args: readonly string[]) => run('archive', '--timestamp-only', ...args);
  return { cli, run, stamp, bytes: (name: string) => readFileSync(join(cli.folder, name)) };
}

test('a PDF gets a document time-stamp and its bytes stay', async () => {
  const { stamp, bytes, run } = open();
  const made = await stamp('a.pdf');
  expect(made).toMatchObject({ exitCode: 0, stdout: 'a.archived.pdf\n' });
  expect(made.stderr).toContain('Time-stamped a.pdf');
  expect(bytes('a.archived.pdf').subarray(0, bytes('a.pdf').length)).toEqual(bytes('a.pdf'));
  const { stdout } = await run('verify', 'a.archived.pdf', '--json');
  expect(JSON.parse(stdout).documents[0].report.signatures).toMatchObject([
    { kind: 'document-timestamp', field: 'Timestamp1', intact: true },
  ]);
});

test('a file of another kind is put into an ASiC-S', async () => {
  const { stamp, run } = open();
  const made = await stamp('minutes.txt', '--json');
  expect(made.exitCode).toBe(0);
  const document = JSON.parse(made.stdout);
  expect(document).toMatchObject({ command: 'archive', output: 'minutes.txt.asics' });
  expect(document.level).toBeUndefined();
  const { stdout } = await run('verify', 'minutes.txt.asics', '--json');
  expect(JSON.parse(stdout).documents[0].report).toMatchObject({
    format: 'asic-s',
    files: [{ name: 'minutes.txt', covered: true }],
  });
});

test.each([
  [['minutes.txt', '--in-place'], '--in-place: expected a PDF'],
  [['minutes.txt', 'b.txt'], '--timestamp-only: expected one document, found several'],
  [['a.pdf', '--detached', 'b.txt'], 'expected --timestamp-only or --detached, found both'],
])('%j is refused, and nothing is written', async (args, message) => {
  const { cli, stamp } = open();
  const before = cli.files();
  const refused = await stamp(...args);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(message);
  expect(cli.files()).toEqual(before);
});
