import { readdirSync, readFileSync } from 'node:fs';
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

test('a PDF gets a document time-stamp and keeps its bytes', async () => {
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

test('a file of a different kind is put into an ASiC-S container', async () => {
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

test('the recommended verify command passes', async () => {
  const { stamp, run } = open();
  const { stderr } = await stamp('minutes.txt');
  const [, line = ''] = /^ {2}innsigli (verify .*)$/m.exec(stderr) ?? [];
  expect(line).toBe('verify --revocation ignore minutes.txt.asics');
  expect((await run(...line.split(' '))).exitCode).toBe(0);
});

test.each([
  [['minutes.txt', '--in-place'], '--in-place: expected a PDF'],
  [['minutes.txt', 'b.txt'], 'expected --out-dir or --in-place for a batch, found neither'],
  [['minutes.txt', '--plan'], 'expected --plan or --timestamp-only, found both'],
  [['a.pdf', '--detached', 'b.txt'], 'expected --timestamp-only or --detached, found both'],
])('%j is rejected and nothing is written', async (args, message) => {
  const { cli, stamp } = open();
  const before = cli.files();
  const refused = await stamp(...args);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(message);
  expect(cli.files()).toEqual(before);
});

test('in a folder each PDF gets a document time-stamp and each other file a container', async () => {
  const { cli, stamp, run, bytes } = open();
  cli.write('in/a.pdf', fixture('agreement.pdf'));
  cli.write('in/below/notes.txt', 'notes');
  cli.write('in/data.bin', new Uint8Array([1, 2, 3]));
  cli.write('in/broken.pdf', 'no PDF');
  cli.write('in/box.asics', 'a container is left out');
  const { exitCode, stdout: told } = await stamp('in', '--out-dir', 'out', '--json');
  expect(exitCode).toBe(3);
  const { summary } = JSON.parse(told);
  expect(summary).toMatchObject({ total: 4, done: 3, failed: 1 });
  const made = readdirSync(join(cli.folder, 'out'), { recursive: true, encoding: 'utf8' });
  const results = made.filter((name) => /[a-z]\.[a-z]+$/.test(name) && !name.startsWith('.'));
  expect(results.sort()).toEqual(['a.pdf', 'below/notes.txt.asics', 'data.bin.asics']);
  expect(bytes('out/a.pdf').subarray(0, bytes('in/a.pdf').length)).toEqual(bytes('in/a.pdf'));
  const { stdout } = await run('verify', 'out/below/notes.txt.asics', '--json');
  expect(JSON.parse(stdout).documents[0].report).toMatchObject({
    files: [{ name: 'notes.txt', covered: true }],
    signatures: [{ kind: 'document-timestamp', intact: true }],
  });
});

test('a resumed batch time-stamps nothing twice', async () => {
  const { cli, stamp, bytes } = open();
  cli.write('in/a.pdf', fixture('agreement.pdf'));
  cli.write('in/notes.txt', 'notes');
  const batch = ['in', '--out-dir', 'out', '--json', '--resume'];
  expect((await stamp(...batch)).exitCode).toBe(0);
  const first = ['out/a.pdf', 'out/notes.txt.asics'].map(bytes);
  const again = await stamp(...batch);
  expect(JSON.parse(again.stdout).summary).toMatchObject({ skipped: 2 });
  expect(['out/a.pdf', 'out/notes.txt.asics'].map(bytes)).toEqual(first);
  // Without the journal the results themselves are verified.
  const other = await stamp('in', '--out-dir', 'out', '--json', '--skip-existing');
  expect(JSON.parse(other.stdout).summary).toMatchObject({ skipped: 2 });
});

test('--in-place time-stamps only PDFs, and none twice', async () => {
  const { cli, stamp, bytes } = open();
  cli.write('in/a.pdf', fixture('agreement.pdf'));
  cli.write('in/notes.txt', 'notes');
  expect((await stamp('in', '--in-place', '--resume')).exitCode).toBe(0);
  const first = bytes('in/a.pdf');
  expect(first.length).toBeGreaterThan(fixture('agreement.pdf').length);
  expect(Buffer.from(bytes('in/notes.txt')).toString()).toBe('notes');
  expect((await stamp('in', '--in-place', '--resume')).exitCode).toBe(0);
  expect(bytes('in/a.pdf')).toEqual(first);
});
