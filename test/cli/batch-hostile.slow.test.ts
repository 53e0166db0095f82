import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchTask } from '../../src/cli/batch/batch.types.ts';
import { moveToQuarantine } from '../../src/cli/batch/plan/paths.ts';
import { selectInputs } from '../../src/cli/batch/plan/selection.ts';
import { readInput } from '../../src/cli/files/index.ts';
import type { CliIo, StopSignal } from '../../src/cli/io.ts';
import { type FolderMark, markFolder } from '../../src/wire/documents.ts';
import { type CliRun, type CliSetup, type FakeCli, openFakeCli } from './support/fake-cli.ts';
import { signatureReport, verificationReport } from './support/fake-toolkit.ts';

const never = () => new Promise<StopSignal>(() => undefined);
const tree = { 'in/a.pdf': '%PDF-a', 'in/sub/b.pdf': '%PDF-b' };
const line = ['seal', 'in', '--out-dir', 'out', '-j1'];
const journal = 'out/.innsigli-batch.jsonl';
const lock = 'out/.innsigli-batch.lock';

/** The signature of an output of the fake covers it to its end; other bytes carry no signature. */
const judging: NonNullable<CliSetup['toolkit']> = {
  verify: async (source) => {
    const text = Buffer.from(source.slice(0, source.lengthBytes)).toString();
    if (!text.endsWith('SEAL')) return verificationReport();
    return verificationReport(signatureReport({ byteRange: [0, 1, 2, source.lengthBytes - 2] }));
  },
};

async function run(cli: FakeCli, args: readonly string[], setup: CliSetup = {}): Promise<CliRun> {
  const found = await cli.run(args, { toolkit: judging, ...setup, io: { waitForStop: never } });
  expect(found.stderr).not.toContain('internal.unexpected');
  return found;
}

const read = (cli: FakeCli, name: string) => readFileSync(join(cli.folder, name), 'utf8');

/** An output folder prepared by someone else. */
function prepared(files: Readonly<Record<string, string>> = {}): FakeCli {
  const cli = openFakeCli({ ...tree, victim: 'token', 'esc/keep': 'x', ...files });
  mkdirSync(join(cli.folder, 'out'), { recursive: true });
  return cli;
}

const ways = [[], ['--force'], ['--resume'], ['--resume', '--force']];

describe('a journal planted by someone else', () => {
  test.each(ways)(
    'as a link to a file stops the batch and the file is unchanged %j',
    async (...more) => {
      const cli = prepared();
      symlinkSync('../victim', join(cli.folder, journal));
      const { exitCode, stderr } = await run(cli, [...line, ...more]);
      expect([exitCode, read(cli, 'victim')]).toEqual([6, 'token']);
      expect(stderr).toContain('error[batch.journal.invalid]');
      expect(stderr).toContain('is a link');
    },
  );

  test.each(ways)(
    'as a dangling link stops the batch and nothing is created %j',
    async (...more) => {
      const cli = prepared();
      symlinkSync('../profile', join(cli.folder, journal));
      expect((await run(cli, [...line, ...more])).exitCode).toBe(6);
      expect(existsSync(join(cli.folder, 'profile'))).toBe(false);
    },
  );

  test.each(ways)(
    'as a hard link to a file stops the batch and the file is unchanged %j',
    async (...more) => {
      const cli = prepared();
      linkSync(join(cli.folder, 'victim'), join(cli.folder, journal));
      const { exitCode, stderr } = await run(cli, [...line, ...more]);
      expect([exitCode, read(cli, 'victim')]).toEqual([6, 'token']);
      expect(stderr).toContain('error[batch.journal.invalid]');
    },
  );

  test('as a pipe stops the batch without blocking', async () => {
    const cli = prepared();
    execFileSync('mkfifo', [join(cli.folder, journal)]);
    expect((await run(cli, line)).exitCode).toBe(6);
  });

  const record = { input: '/i', inputBytes: 6, mtimeMs: 1, output: '/o', outputBytes: 10 };
  const done = { ...record, tailSha256: 'a'.repeat(64) };
  const refused = { input: '/i', inputBytes: 1, mtimeMs: 1 };
  test.each<[string, unknown]>([
    ['null', null],
    ['an array', []],
    ['no member', {}],
    ['done is null', { done: null }],
    ['done is empty', { done: {} }],
    ['done is text', { done: 'x' }],
    ['an input that is not text', { done: { ...done, input: 1 } }],
    ['a negative size', { done: { ...done, outputBytes: -1 } }],
    ['a fractional size', { done: { ...done, inputBytes: 1.5 } }],
    ['more bytes kept than exist', { done: { ...done, keptBytes: 1e15 } }],
    ['a negative number of bytes kept', { done: { ...done, keptBytes: -5 } }],
    ['a digest that is not text', { done: { ...done, tailSha256: 7 } }],
    ['a time that is not a number', { intent: { ...done, mtimeMs: 'x' } }],
    ['an ID that is not text', { done: { ...done, signatureId: {} } }],
    ['refused is null', { refused: null }],
    ['refused has no error', { refused }],
    [
      'an error that is not a rejection of the document',
      { refused: { ...refused, error: { code: 'key.expired' } } },
    ],
    ['an unknown error code', { refused: { ...refused, error: { code: 'x', message: 'x' } } }],
    [
      'details that are not an object',
      { refused: { ...refused, error: { code: 'pdf.notpdf', message: 'x', details: 7 } } },
    ],
  ])('with an unknown line stops the batch: %s', async (_, value) => {
    const cli = prepared();
    await run(cli, line);
    writeFileSync(join(cli.folder, journal), `${read(cli, journal)}${JSON.stringify(value)}\n`);
    const { exitCode, stderr } = await run(cli, [...line, '--resume']);
    expect([exitCode, stderr]).toEqual([
      6,
      expect.stringContaining('is not a batch journal: line 5 is invalid'),
    ]);
    expect((await run(cli, [...line, '--dry-run'])).exitCode).toBe(6);
  });

  test('with a forged "done" does not make an unsigned result pass', async () => {
    const cli = prepared();
    await run(cli, line);
    const lines = read(cli, journal).trim().split('\n');
    const { done: fact } = JSON.parse(lines[1] as string);
    const tail = '% not signed';
    const { createHash } = await import('node:crypto');
    const tailSha256 = createHash('sha256').update(tail).digest('hex');
    const forged = { ...fact, outputBytes: fact.inputBytes + tail.length, tailSha256 };
    cli.write('out/a.pdf', `%PDF-a${tail}`);
    cli.write(journal, [lines[0], JSON.stringify({ done: forged }), ''].join('\n'));
    const { exitCode, stderr } = await run(cli, [...line, '--resume']);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('has no new signature')]);
  });

  test('with a forged "done" does not keep a file from being sealed in place', async () => {
    const cli = prepared();
    const inPlace = ['seal', 'in', '--in-place', '-j1'];
    await run(cli, inPlace);
    const name = 'in/.innsigli-batch.jsonl';
    const lines = read(cli, name).trim().split('\n');
    const facts = lines.map((text) => JSON.parse(text)).find(({ done: one }) => one !== undefined);
    const { createHash } = await import('node:crypto');
    const tailSha256 = createHash('sha256').update('% no').digest('hex');
    cli.write('in/a.pdf', '%PDF-a% no');
    cli.write(name, `${lines[0]}\n${JSON.stringify({ done: { ...facts.done, tailSha256 } })}\n`);
    const { exitCode, stderr } = await run(cli, [...inPlace, '--resume']);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('2 sealed')]);
    expect(read(cli, 'in/a.pdf')).toBe('%PDF-a% noSEAL');
  });
});

describe('a lock planted by someone else', () => {
  test.each([
    ['null', 'null'],
    ['a number', '7'],
    ['a process ID that is not a number', '{"pid":"x","host":"h","started":""}'],
    ['a process ID of -1', `{"pid":-1,"host":${JSON.stringify(hostname())}}`],
  ])('is taken over if its content is %s', async (_, text) => {
    const cli = prepared({ [lock]: text });
    expect((await run(cli, line)).exitCode).toBe(0);
  });

  test('is held if it is a dangling link or a pipe; nothing is created and nothing blocks', async () => {
    const cli = prepared();
    symlinkSync('../profile', join(cli.folder, lock));
    expect((await run(cli, line)).exitCode).toBe(6);
    expect(existsSync(join(cli.folder, 'profile'))).toBe(false);
    const other = prepared();
    execFileSync('mkfifo', [join(other.folder, lock)]);
    expect((await run(other, line)).exitCode).toBe(6);
  });
});

describe('results of a batch', () => {
  test.each(ways)('are not written through a folder that is a link %j', async (...more) => {
    const cli = prepared({ 'esc/.b.pdf.0123456789ab.tmp': 'of others' });
    symlinkSync('../esc', join(cli.folder, 'out/sub'));
    const { exitCode, stderr, stdout } = await run(cli, [...line, ...more]);
    expect([exitCode, stdout]).toEqual([3, 'out/a.pdf\n']);
    expect(stderr).toContain('error[io.link]');
    expect(readdirSync(join(cli.folder, 'esc')).sort()).toEqual([
      '.b.pdf.0123456789ab.tmp',
      'keep',
    ]);
  });

  test.each(ways)('do not replace a link or the file it points to %j', async (...more) => {
    const cli = prepared();
    symlinkSync('../victim', join(cli.folder, 'out/a.pdf'));
    expect((await run(cli, [...line, ...more])).exitCode).toBe(3);
    expect(read(cli, 'victim')).toBe('token');
    expect(readlinkSync(join(cli.folder, 'out/a.pdf'))).toBe('../victim');
  });

  test('a link to a valid result is not accepted as a result', async () => {
    const cli = prepared({ good: '%PDF-aSEAL' });
    symlinkSync('../good', join(cli.folder, 'out/a.pdf'));
    for (const way of ['--skip-existing', '--resume']) {
      const { exitCode, stderr } = await run(cli, [...line, way]);
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('io.link')]);
    }
  });

  test('are not written to a pipe that has the name of a result', async () => {
    const cli = prepared();
    execFileSync('mkfifo', [join(cli.folder, 'out/a.pdf')]);
    const { exitCode, stderr } = await run(cli, [...line, '--force']);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('io.output.unwritable')]);
  });

  test('a report that is a link is rejected and its target is unchanged', async () => {
    const cli = prepared();
    symlinkSync('victim', join(cli.folder, 'r.jsonl'));
    const { exitCode, stderr } = await run(cli, [...line, '--force', '--report', 'r.jsonl']);
    expect([exitCode, read(cli, 'victim')]).toEqual([1, 'token']);
    expect(stderr).toContain('io.link');
  });

  test('a report that is a hard link is replaced and the other file is unchanged', async () => {
    const cli = prepared();
    linkSync(join(cli.folder, 'victim'), join(cli.folder, 'r.jsonl'));
    const { exitCode } = await run(cli, [...line, '--force', '--report', 'r.jsonl']);
    expect([exitCode, read(cli, 'victim')]).toEqual([0, 'token']);
    expect(read(cli, 'r.jsonl')).toContain('"summary"');
  });
});

describe('inputs of a batch', () => {
  test.each([
    ['in place', ['seal', 'in', '--in-place', '-j1'], 'points outside the folder and was skipped'],
    ['into a folder', line, 'points outside the folder and was skipped'],
    ['by a pattern, in place', ['seal', 'in/*.pdf', '--in-place', '-j1'], ''],
  ])('links that lead out of the folder are left out, %s', async (_, args, said) => {
    const cli = prepared({ 'outside.pdf': '%PDF-o' });
    symlinkSync('../outside.pdf', join(cli.folder, 'in/link.pdf'));
    const { exitCode, stderr, stdout } = await run(cli, args);
    expect([exitCode, read(cli, 'outside.pdf')]).toEqual([0, '%PDF-o']);
    expect(stdout).not.toContain('link.pdf');
    expect(stderr).toContain(said && `in/link.pdf ${said}`);
  });

  test('a link that stays within the folder is sealed', async () => {
    const cli = prepared();
    symlinkSync('sub/b.pdf', join(cli.folder, 'in/link.pdf'));
    const { exitCode } = await run(cli, line);
    expect([exitCode, read(cli, 'out/link.pdf')]).toEqual([0, '%PDF-bSEAL']);
  });
});

describe('--files-from', () => {
  const args = ['seal', '--files-from', 'list', '--out-dir', 'out', '-j1'];
  test.each([
    ['a line', 'a'.repeat(5_000)],
    ['a line of many multi-byte characters', 'ð'.repeat(2_100)],
    ['an entry terminated by NUL', `in/a.pdf\0${'a'.repeat(5_000)}\0`],
    ['the whole list', 'in/a.pdf\n'.repeat(8_000_000)],
  ])('rejects %s that is too long', async (_, list) => {
    const cli = openFakeCli({ ...tree, list });
    const { exitCode, stderr } = await run(cli, args);
    expect([exitCode, stderr]).toEqual([7, expect.stringContaining('error[limit.exceeded]')]);
  });
});

describe('folders replaced while a batch runs', () => {
  const taskOf = (cli: FakeCli, name: string): BatchTask => {
    const place = { root: markFolder(join(cli.folder, 'in')), below: name };
    const path = join(cli.folder, 'in', name);
    return { name: `in/${name}`, path, relative: name, place, sizeBytes: 6, mtimeMs: 0 };
  };

  test('a watched folder that was replaced by a link is not listed', async () => {
    const cli = openFakeCli({ ...tree, 'other/x.pdf': '%PDF-x' });
    const roots = new Map<string, FolderMark>();
    const choice = { command: 'seal', cwd: cli.folder, inputs: ['in'], listed: [] } as const;
    const select = () => selectInputs({ ...choice, suffix: '', roots });
    expect(await select()).toHaveLength(2);
    renameSync(join(cli.folder, 'in'), join(cli.folder, 'old'));
    symlinkSync('other', join(cli.folder, 'in'));
    await expect(select()).rejects.toMatchObject({ code: 'io.link' });
    rmSync(join(cli.folder, 'in'));
    mkdirSync(join(cli.folder, 'in'));
    await expect(select()).rejects.toMatchObject({ code: 'io.link' });
  });

  test('a document whose folder was replaced by a link is not read', async () => {
    const cli = openFakeCli({ ...tree, 'esc/b.pdf': '%PDF-secret' });
    const { path, place } = taskOf(cli, 'sub/b.pdf');
    renameSync(join(cli.folder, 'in/sub'), join(cli.folder, 'in/old'));
    symlinkSync('../esc', join(cli.folder, 'in/sub'));
    const io = { cwd: cli.folder } as CliIo;
    await expect(readInput(path, io, place)).rejects.toMatchObject({ code: 'io.link' });
  });

  test('quarantine follows no link and replaces no file', () => {
    const cli = openFakeCli({ ...tree, 'esc/keep': 'x', 'out/q': '' });
    const out = markFolder(join(cli.folder, 'out'));
    symlinkSync('../esc', join(cli.folder, 'out/.innsigli-quarantine'));
    expect(() => moveToQuarantine(taskOf(cli, 'a.pdf'), out)).toThrow('is a symbolic link');
    expect([readdirSync(join(cli.folder, 'esc')), read(cli, 'in/a.pdf')]).toEqual([
      ['keep'],
      '%PDF-a',
    ]);
    rmSync(join(cli.folder, 'out/.innsigli-quarantine'));
    cli.write('out/.innsigli-quarantine/a.pdf', 'earlier');
    symlinkSync('../../victim', join(cli.folder, 'out/.innsigli-quarantine/a.pdf.1'));
    expect(moveToQuarantine(taskOf(cli, 'a.pdf'), out)).toMatch(/a\.pdf\.2$/);
    expect(read(cli, 'out/.innsigli-quarantine/a.pdf')).toBe('earlier');
    expect(read(cli, 'out/.innsigli-quarantine/a.pdf.2')).toBe('%PDF-a');
    expect(existsSync(join(cli.folder, 'in/a.pdf'))).toBe(false);
  });
});

describe('permissions of results', () => {
  const bits = (cli: FakeCli, name: string) =>
    (statSync(join(cli.folder, name)).mode & 0o777).toString(8);

  test.each([
    [0o600, '600'],
    [0o640, '640'],
    [0o644, '644'],
    [0o444, '644'],
    [0o777, '644'],
  ])(
    'group and others can read a result only if they can read the input: mode %o',
    async (mode, expected) => {
      const cli = openFakeCli({ 'in/a.pdf': '%PDF-a' });
      chmodSync(join(cli.folder, 'in/a.pdf'), mode);
      await run(cli, line);
      await run(cli, ['seal', 'in/a.pdf', '-o', 'one.pdf']);
      expect([bits(cli, 'out/a.pdf'), bits(cli, 'one.pdf')]).toEqual([expected, expected]);
    },
  );

  test.runIf(process.getuid?.() === 0)('--in-place preserves owner, group and mode', async () => {
    const cli = openFakeCli({ 'in/a.pdf': '%PDF-a', 'b.pdf': '%PDF-b' });
    for (const name of ['in/a.pdf', 'b.pdf']) {
      chownSync(join(cli.folder, name), 1234, 4321);
      chmodSync(join(cli.folder, name), 0o660);
    }
    await run(cli, ['seal', 'in', '--in-place', '-j1']);
    await run(cli, ['seal', 'b.pdf', '--in-place']);
    for (const name of ['in/a.pdf', 'b.pdf']) {
      expect(read(cli, name)).toContain('SEAL');
      const { uid, gid } = statSync(join(cli.folder, name));
      expect([uid, gid, bits(cli, name)]).toEqual([1234, 4321, '660']);
    }
  });
});
