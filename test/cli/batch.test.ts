import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import type { ByteSource } from '../../src/base/bytes.ts';
import { InnsigliError } from '../../src/base/errors.ts';
import { serveWorker } from '../../src/cli/batch/threads/worker.ts';
import type { CliIo, StopSignal } from '../../src/cli/io.ts';
import { type CliRun, type CliSetup, type FakeCli, openFakeCli } from './support/fake-cli.ts';
import {
  fakeToolkit,
  sealOutcome,
  signatureReport,
  verificationReport,
} from './support/fake-toolkit.ts';

const never = () => new Promise<StopSignal>(() => undefined);

async function run(cli: FakeCli, args: readonly string[], setup: CliSetup = {}): Promise<CliRun> {
  return cli.run(args, { ...setup, io: { waitForStop: never, ...setup.io } });
}

const tree = { 'in/a.pdf': '%PDF-a', 'in/sub/b.PDF': '%PDF-b' };
const journalOf = (cli: FakeCli, folder = 'out') =>
  readFileSync(join(cli.folder, folder, '.innsigli-batch.jsonl'), 'utf8')
    .trim()
    .split('\n');

/** Fails for documents that start with `%BAD`. */
const picky: NonNullable<CliSetup['toolkit']> = {
  seal: async (source) => {
    const start = Buffer.from(source.slice(0, 4)).toString();
    if (start === '%BAD') throw new InnsigliError('pdf.notpdf', 'no PDF', { hint: 'use a PDF' });
    return sealOutcome({ keptBytes: source.lengthBytes });
  },
  // An existing output of the fake: its signature covers more than the input.
  verify: async (source) =>
    verificationReport(signatureReport({ byteRange: [0, 1, 2, source.lengthBytes - 2] })),
};

describe('a batch', () => {
  test('mirrors the folder tree and prints the paths of the results on stdout', async () => {
    const cli = openFakeCli({ ...tree, 'in/.hidden.pdf': 'x', 'in/notes.txt': 'x' });
    symlinkSync('.', join(cli.folder, 'in/loop'));
    const { exitCode, stdout, stderr } = await run(cli, ['seal', 'in', '--out-dir', 'out', '-j1']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'out/a.pdf\nout/sub/b.PDF\n' });
    expect(stderr).toContain('✓ 2 sealed\n');
    expect(readFileSync(join(cli.folder, 'out/sub/b.PDF'), 'utf8')).toBe('%PDF-bSEAL');
    expect(existsSync(join(cli.folder, 'out/.innsigli-batch.lock'))).toBe(false);
    expect(journalOf(cli).map((line) => Object.keys(JSON.parse(line))[0])).toEqual([
      'v',
      'done',
      'done',
      'finished',
    ]);
  });

  test('reports a file whose name is not UTF-8 as failed', async () => {
    const cli = openFakeCli(tree);
    const raw = Buffer.concat([Buffer.from(join(cli.folder, 'in/l')), Buffer.from([0xf6, 0x2e])]);
    writeFileSync(Buffer.concat([raw, Buffer.from('pdf')]), '%PDF-x');
    for (const input of ['in', 'in/**/*.pdf']) {
      const args = ['seal', input, '--out-dir', 'out', '--force', '-j1'];
      const { exitCode, stderr } = await run(cli, args);
      expect(exitCode).toBe(3);
      expect(stderr).toContain('1 failed');
      expect(stderr).toContain('its name may not be valid UTF-8');
    }
  });

  test('rejects a journal that is not a file', async () => {
    const cli = openFakeCli(tree);
    mkdirSync(join(cli.folder, 'out/.innsigli-batch.jsonl'), { recursive: true });
    const { exitCode, stderr } = await run(cli, ['seal', 'in', '--out-dir', 'out', '-j1']);
    expect(exitCode).toBe(6);
    expect(stderr).toContain('error[batch.journal.invalid]');
    expect(stderr).toContain('is not a regular file');
  });

  test('continues after a failure, exits with 3 and prints the advice once', async () => {
    const cli = openFakeCli({ ...tree, 'in/x.pdf': '%BAD', 'in/y.pdf': '%BAD' });
    const args = ['seal', 'in', '--out-dir', 'out', '-j1', '--report', 'r.jsonl'];
    const { exitCode, stdout, stderr } = await run(cli, args, { toolkit: picky });
    expect(exitCode).toBe(3);
    expect(stdout).toBe('out/a.pdf\nout/sub/b.PDF\n');
    expect(stderr).toContain('error[pdf.notpdf]: in/x.pdf: no PDF\nhint: use a PDF\n');
    expect(stderr.match(/hint: use a PDF/g)).toHaveLength(1);
    expect(stderr).toContain('2 sealed, 2 failed');
    const lines = readFileSync(join(cli.folder, 'r.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([
      'done',
      'failed',
      'failed',
      'done',
      undefined,
    ]);
    expect(JSON.parse(lines.at(-1) ?? '').summary).toMatchObject({ done: 2, failed: 2, total: 4 });
    expect(stderr).not.toContain('--resume');
    const again = await run(cli, [...args, '--resume', '--json'], { toolkit: picky });
    expect(again.exitCode).toBe(3);
    expect(JSON.parse(again.stdout)).toMatchObject({
      v: 1,
      command: 'seal',
      items: [{ status: 'skipped' }, { status: 'failed' }, { status: 'failed' }, {}],
      summary: { done: 0, skipped: 2, failed: 2, interrupted: false },
    });
  });

  test('--fail-fast starts no document after a failure', async () => {
    const cli = openFakeCli({ 'in/a.pdf': '%BAD', 'in/b.pdf': '%PDF' });
    const args = ['seal', 'in', '--out-dir', 'out', '-j1', '--fail-fast'];
    const { exitCode, stderr } = await run(cli, args, { toolkit: picky });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('0 sealed, 1 failed, 1 not started');
  });

  test('an error that affects every document ends the batch with the exit code of that error', async () => {
    const cli = openFakeCli(tree);
    let calls = 0;
    const seal = async () => {
      calls += 1;
      throw new InnsigliError('key.password.wrong', 'the password does not open the key');
    };
    const args = ['seal', 'in', '--out-dir', 'out', '-j1', '--json'];
    const { exitCode, stdout } = await run(cli, args, { toolkit: { seal } });
    expect({ exitCode, calls }).toEqual({ exitCode: 4, calls: 1 });
    expect(JSON.parse(stdout).items).toEqual([]);
  });

  test.each(['ENOSPC', 'EDQUOT', 'EROFS'])(
    'a full or read-only disk ends it at once: %s',
    async (reason) => {
      const cli = openFakeCli({ ...tree, 'in/c.pdf': '%PDF-c' });
      let calls = 0;
      const seal = async () => {
        calls += 1;
        const details = { output: 'out/a.pdf', reason };
        throw new InnsigliError('io.output.unwritable', 'out/a.pdf cannot be written', { details });
      };
      const args = ['seal', 'in', '--out-dir', 'out', '-j1'];
      const { exitCode, stderr } = await run(cli, args, { toolkit: { seal } });
      expect({ exitCode, calls }).toEqual({ exitCode: 1, calls: 1 });
      expect(stderr.match(/io\.output\.unwritable/g)).toHaveLength(1);
      expect(stderr).toContain('the same command with --resume');
      const again = await run(cli, [...args, '--resume'], { toolkit: picky });
      expect(again.exitCode).toBe(0);
    },
  );

  test('an output without write permission fails only that document', async () => {
    const cli = openFakeCli(tree);
    const seal = async (source: ByteSource) => {
      const details = { output: 'out/a.pdf', reason: 'EACCES' };
      if (Buffer.from(source.slice(0, 6)).toString() === '%PDF-a') {
        throw new InnsigliError('io.output.unwritable', 'out/a.pdf cannot be written', { details });
      }
      return sealOutcome({ keptBytes: source.lengthBytes });
    };
    const args = ['seal', 'in', '--out-dir', 'out', '-j1'];
    const { exitCode, stdout } = await run(cli, args, { toolkit: { seal } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'out/sub/b.PDF\n' });
  });

  test('on a signal finishes running documents, leaves the rest to --resume and exits with 130', async () => {
    const cli = openFakeCli({ ...tree, 'in/c.pdf': '%PDF-c' });
    let stop: (signal: StopSignal) => void = () => undefined;
    const waitForStop = () =>
      new Promise<StopSignal>((resolve) => {
        stop = resolve;
      });
    const seal = async (source: ByteSource) => {
      stop('SIGINT');
      return sealOutcome({ keptBytes: source.lengthBytes });
    };
    const args = ['seal', 'in', '--out-dir', 'out', '-j1'];
    const first = await run(cli, args, { toolkit: { seal }, io: { waitForStop } });
    expect(first).toMatchObject({ exitCode: 130, stdout: 'out/a.pdf\n' });
    const second = await run(cli, [...args, '--resume'], { toolkit: picky });
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toContain('2 sealed, 1 skipped');
  });

  test('worker threads seal as well; warnings and questions appear once', async () => {
    const cli = openFakeCli(tree);
    const toolkit: CliSetup['toolkit'] = (io) => ({
      seal: async (source: ByteSource) => {
        await io.askPassword?.('key.pem');
        io.warn('test key', 'trust.development');
        return sealOutcome({ keptBytes: source.lengthBytes });
      },
    });
    let threads = 0;
    const startWorker: CliIo['startWorker'] = () => {
      threads += 1;
      const { port1, port2 } = new MessageChannel();
      const make = typeof toolkit === 'function' ? toolkit : () => ({});
      const io = {
        now: () => 0,
        cwd: cli.folder,
        random: (count: number) => new Uint8Array(count).fill(threads),
        onStop: () => () => undefined,
        openToolkit: async (_config: unknown, toolkitIo: Parameters<typeof fakeToolkit>[0]) => ({
          ...fakeToolkit(toolkitIo),
          ...make(toolkitIo),
        }),
      } as unknown as CliIo;
      serveWorker(port2, io);
      return {
        postMessage: (value) => port1.postMessage(value),
        on: (event, listener) => port1.on(event as 'message', listener),
        terminate: async () => port1.close(),
      };
    };
    const { exitCode, stdout, stderr } = await run(
      cli,
      ['seal', 'in', '--out-dir', 'out', '--jobs', '2'],
      { terminals: ['stdin', 'stderr'], password: 'p', io: { startWorker } },
    );
    expect({ exitCode, threads }).toEqual({ exitCode: 0, threads: 2 });
    expect(stdout.split('\n').sort()).toEqual(['', 'out/a.pdf', 'out/sub/b.PDF']);
    expect(stderr.match(/test key/g)).toHaveLength(1);
    expect(cli.questions).toEqual(['Password for key.pem']);
  });

  test('code is optimised only after each worker has finished a document', async () => {
    const cli = openFakeCli(tree);
    const happened: string[] = [];
    const toolkit: CliSetup['toolkit'] = () => ({
      seal: async (source: ByteSource) => {
        happened.push('seal');
        return sealOutcome({ keptBytes: source.lengthBytes });
      },
    });
    const optimiseLater = () => void happened.push('later');
    const args = ['seal', 'in', '--out-dir', 'out', '--jobs', '1'];
    const { exitCode } = await run(cli, args, { toolkit, io: { optimiseLater } });
    expect({ exitCode, happened }).toEqual({ exitCode: 0, happened: ['seal', 'later', 'seal'] });
  });

  test('a thread that dies fails its document, and the next document gets a new thread', async () => {
    const cli = openFakeCli(tree);
    let started = 0;
    const startWorker: CliIo['startWorker'] = () => {
      started += 1;
      const listeners: Record<string, (value: unknown) => void> = {};
      return {
        postMessage: () => queueMicrotask(() => listeners['exit']?.(1)),
        on(event, listener) {
          listeners[event] = listener;
        },
        terminate: async () => undefined,
      };
    };
    const { exitCode, stderr } = await run(
      cli,
      ['seal', 'in', 'in/a.pdf', '--out-dir', 'out', '--jobs', '2'],
      { io: { startWorker } },
    );
    expect({ exitCode, started }).toEqual({ exitCode: 3, started: 2 });
    expect(stderr).toContain('in/a.pdf: the worker thread ended: exit 1');
  });
});

describe('a batch with existing results', () => {
  const seal = ['seal', 'in', '--out-dir', 'out', '-j1'];
  const cases: readonly (readonly [
    what: string,
    prepare: (cli: FakeCli) => void,
    args: readonly string[],
    exitCode: number,
    said: string,
  ])[] = [
    ['without an option', () => undefined, [], 3, 'the output out/a.pdf already exists'],
    ['--force to replace', () => undefined, ['--force'], 0, '2 sealed'],
    ['--skip-existing verifies', () => undefined, ['--skip-existing'], 0, '2 skipped'],
    ['--resume verifies the results in the journal', () => undefined, ['--resume'], 0, '2 skipped'],
    [
      '--resume without the journal verifies',
      (cli) => rmSync(join(cli.folder, 'out/.innsigli-batch.jsonl')),
      ['--resume'],
      0,
      '2 skipped',
    ],
    [
      '--resume recreates a missing result',
      (cli) => rmSync(join(cli.folder, 'out/a.pdf')),
      ['--resume'],
      0,
      '1 sealed, 1 skipped',
    ],
    [
      'a corrupt result',
      (cli) => cli.write('out/a.pdf', '%PDF-x'),
      ['--resume'],
      3,
      'out/a.pdf exists and does not start with the input',
    ],
    [
      'an empty result left by a claimed name',
      (cli) => cli.write('out/a.pdf', ''),
      ['--resume'],
      0,
      '1 sealed, 1 skipped',
    ],
    [
      'a changed input',
      (cli) => cli.write('in/a.pdf', '%PDF-changed'),
      ['--resume'],
      3,
      'out/a.pdf exists and does not start with the input',
    ],
    [
      'a changed input with --force',
      (cli) => cli.write('in/a.pdf', '%PDF-changed'),
      ['--resume', '--force'],
      0,
      '1 sealed, 1 skipped',
    ],
    [
      'leftovers of a killed run',
      (cli) => cli.write('out/.a.pdf.0123456789ab.tmp', '%PD'),
      ['--resume'],
      0,
      '2 skipped',
    ],
    [
      'different options',
      () => undefined,
      ['--resume', '--reason', 'other'],
      6,
      'error[batch.journal.invalid]',
    ],
  ];
  test.each(cases)('handles them in a second run: %s', async (_, prepare, args, exitCode, said) => {
    const cli = openFakeCli(tree);
    expect((await run(cli, seal, { toolkit: picky })).exitCode).toBe(0);
    prepare(cli);
    const again = await run(cli, [...seal, ...args], { toolkit: picky });
    expect(again.exitCode).toBe(exitCode);
    expect(again.stderr).toContain(said);
    expect(existsSync(join(cli.folder, 'out/.a.pdf.0123456789ab.tmp'))).toBe(false);
  });

  test.each([
    ['an invalid signature', signatureReport({ indication: 'TOTAL-FAILED' }), 'not valid'],
    [
      'a lower level',
      signatureReport({ level: 'B-B', byteRange: [0, 1, 2, 99] }),
      'not reach B-LTA',
    ],
    [
      'a signature that was already in the input',
      signatureReport({ byteRange: [0, 1, 2, 3] }),
      'no new signature',
    ],
  ])('--skip-existing rejects %s', async (_, report, said) => {
    const cli = openFakeCli(tree);
    await run(cli, seal, { toolkit: picky });
    const verify = async () => verificationReport(report);
    const again = await run(cli, [...seal, '--skip-existing'], { toolkit: { verify } });
    expect(again).toMatchObject({ exitCode: 3 });
    expect(again.stderr).toContain(said);
  });
});

describe('a batch with --in-place', () => {
  const args = ['archive', 'in', '--in-place', '-j1'];
  const content = (cli: FakeCli) => readFileSync(join(cli.folder, 'in/a.pdf'), 'utf8');
  const stamped: NonNullable<CliSetup['toolkit']> = {
    verify: async (source) => {
      const text = Buffer.from(source.slice(0, source.lengthBytes)).toString();
      if (!text.includes('SEAL')) return verificationReport();
      const byteRange = [0, 1, 2, source.lengthBytes - 2] as const;
      return verificationReport(signatureReport({ kind: 'document-timestamp', byteRange }));
    },
  };

  test('records an intent in the journal before it replaces the file', async () => {
    const cli = openFakeCli(tree);
    expect((await run(cli, args)).exitCode).toBe(0);
    expect(content(cli)).toBe('%PDF-aSEAL');
    const kinds = journalOf(cli, 'in').map((line) => Object.keys(JSON.parse(line))[0]);
    expect(kinds).toEqual(['v', 'intent', 'done', 'intent', 'done', 'finished']);
  });

  test.each([
    ['killed before the file was replaced', '%PDF-a', '%PDF-aSEAL'],
    ['killed after the file was replaced', '%PDF-aSEAL', '%PDF-aSEAL'],
    ['signed by someone else since', '%PDF-aSEALmore', '%PDF-aSEALmore'],
    ['replaced by a different file since', '%PDF-other', '%PDF-otherSEAL'],
  ])('never seals a document twice: %s', async (_, found, expected) => {
    const cli = openFakeCli(tree);
    await run(cli, args);
    const lines = journalOf(cli, 'in').slice(0, 2);
    cli.write('in/.innsigli-batch.jsonl', `${lines.join('\n')}\n{"done":{"inp`);
    cli.write('in/a.pdf', found);
    expect((await run(cli, args)).exitCode).toBe(6);
    expect((await run(cli, [...args, '--resume'], { toolkit: stamped })).exitCode).toBe(0);
    expect(content(cli)).toBe(expected);
  });
});

describe('the inputs of a batch', () => {
  const files = { 'in/a.pdf': 'a', 'in/s/b.pdf': 'b', 'in/s/c.txt': 'c', 'x/a.pdf': 'x', l: '' };
  const plan = async (cli: FakeCli, args: readonly string[], stdin = '') => {
    const run1 = await run(cli, ['seal', ...args, '--dry-run'], { stdin });
    return run1.exitCode === 0 ? run1.stdout.trim().split('\n') : run1.stderr;
  };
  test.each([
    ['a folder', ['in'], ['in/a.pdf → o/a.pdf', 'in/s/b.pdf → o/s/b.pdf']],
    ['a pattern', ['in/**/*.pdf'], ['in/a.pdf → o/a.pdf', 'in/s/b.pdf → o/s/b.pdf']],
    ['a pattern with any extension', ['in/s/*'], ['in/s/b.pdf → o/b.pdf', 'in/s/c.txt → o/c.txt']],
    ['named files', ['in/a.pdf', 'in/s/c.txt'], ['in/a.pdf → o/a.pdf', 'in/s/c.txt → o/s/c.txt']],
    ['a file named twice', ['in/a.pdf', './in/a.pdf'], ['in/a.pdf → o/a.pdf']],
    ['a folder with a suffix', ['in/s', '--suffix', '-ok'], ['in/s/b.pdf → o/b-ok.pdf']],
    [
      'a suffix for a name without extension',
      ['in/s/c.txt', '--suffix', '-ok'],
      ['in/s/c.txt → o/c.txt-ok'],
    ],
  ])('the plan contains exactly the documents of %s', async (_, args, expected) => {
    const cli = openFakeCli(files);
    const found = await plan(cli, [...args, '--out-dir', 'o']);
    expect(found).toEqual(expected.map((line) => `seal: ${line}`));
    expect(existsSync(join(cli.folder, 'o'))).toBe(false);
  });

  test.each([
    ['line feeds', 'in/a.pdf\r\nin/s/b.pdf\n'],
    ['NUL', 'in/a.pdf\0in/s/b.pdf\0'],
  ])('--files-from - reads names separated by %s', async (_, list) => {
    const cli = openFakeCli(files);
    const found = await plan(cli, ['--files-from', '-', '--out-dir', 'o'], list);
    expect(found).toEqual(['seal: in/a.pdf → o/a.pdf', 'seal: in/s/b.pdf → o/s/b.pdf']);
  });

  test.each([
    [['in', 'x', '--out-dir', 'o'], 'in/a.pdf and x/a.pdf would both be written to'],
    [['in', '--out-dir', 'in'], 'the result of in/a.pdf would overwrite an input'],
    [['in'], 'expected --out-dir or --in-place'],
    [['in/a.pdf', 'x/a.pdf'], 'expected --out-dir or --in-place'],
    [['in', '--out-dir', 'o', '-o', 'x'], '-o: expected one document, found several'],
    [['in', '--out-dir', 'o', '--in-place'], 'found both'],
    [
      ['in', '--out-dir', 'o', '--jobs', '0'],
      '--jobs: expected a whole number from 1 to 256, found "0"',
    ],
    [['in', '--out-dir', 'o', '--max-inflight-bytes', 'x'], 'expected a size such as 64M'],
    [['in', '--out-dir', 'o', '--suffix', 'a/b'], 'expected no separator'],
    [['-', '--out-dir', 'o'], 'stdin is a single document'],
    [['no*.pdf', '--out-dir', 'o'], 'no file matches no*.pdf'],
    [['in', '--out-dir', 'o', '--fail-fast', '--keep-going'], 'found both'],
    [['--in-place', '--watch', 'in'], '--watch: expected --out-dir'],
  ])('rejects %j', async (args, said) => {
    expect(await plan(openFakeCli(files), args)).toContain(said);
  });

  test('rejects names that differ only in case or in the encoding of accents', async () => {
    const cli = openFakeCli({
      'in/A.pdf': '1',
      'in/a.pdf': '2',
      'n/é.pdf': '1',
      'n/e\u0301.pdf': '2',
    });
    expect(await plan(cli, ['in', '--out-dir', 'o'])).toContain('batch.output.collision');
    expect(await plan(cli, ['n', '--out-dir', 'o'])).toContain('batch.output.collision');
  });

  test('results inside the input folder are not inputs', async () => {
    const cli = openFakeCli({
      'in/a.pdf': '%PDF',
      'in/out/old.pdf': '%PDF',
      'in/b-ok.pdf': '%PDF',
    });
    expect(await plan(cli, ['in', '--out-dir', 'in/out'])).toEqual([
      'seal: in/a.pdf → in/out/a.pdf',
      'seal: in/b-ok.pdf → in/out/b-ok.pdf',
    ]);
    const beside = await plan(cli, ['in', '--out-dir', 'in', '--suffix', '-ok']);
    expect(beside).toEqual([
      'seal: in/a.pdf → in/a-ok.pdf',
      'seal: in/out/old.pdf → in/out/old-ok.pdf',
    ]);
  });

  test('a missing file is a failed row', async () => {
    const cli = openFakeCli(files);
    const args = ['seal', 'in/a.pdf', 'in/gone.pdf', '--out-dir', 'o', '-j1'];
    const { exitCode, stdout, stderr } = await run(cli, args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'o/a.pdf\n' });
    expect(stderr).toContain('error[io.input.notfound]');
  });
});

describe('verify of a folder', () => {
  test.each([
    ['TOTAL-PASSED', 0],
    ['INDETERMINATE', 9],
    ['TOTAL-FAILED', 7],
  ] as const)('exits for %s with %i', async (indication, exitCode) => {
    const cli = openFakeCli(tree);
    const verify = async () => verificationReport(signatureReport({ indication }));
    const found = await run(cli, ['verify', 'in', '-j1'], { toolkit: { verify } });
    expect(found.exitCode).toBe(exitCode);
    expect(found.stdout).toBe(
      `${indication.padEnd(13)} in/a.pdf\n${indication.padEnd(13)} in/sub/b.PDF\n`,
    );
    mkdirSync(join(cli.folder, 'empty'));
    expect((await run(cli, ['verify', 'empty'])).exitCode).toBe(5);
  });

  test('exits with 7 for an unsigned document and with 3 for one that cannot be verified', async () => {
    const cli = openFakeCli({ 'in/a.pdf': '%PDF' });
    const none = { verify: async () => verificationReport() };
    expect((await run(cli, ['verify', 'in', '-j1'], { toolkit: none })).exitCode).toBe(7);
    const broken = {
      verify: async () => {
        throw new InnsigliError('pdf.notpdf', 'no PDF');
      },
    };
    expect((await run(cli, ['verify', 'in', '-j1'], { toolkit: broken })).exitCode).toBe(3);
  });
});

test('a batch at a terminal shows a progress wheel and prints no paths', async () => {
  const cli = openFakeCli(tree);
  writeFileSync(join(cli.folder, 'in/a.pdf'), '%PDF');
  const { stdout, stderr } = await run(cli, ['seal', 'in', '--out-dir', 'out', '-j1'], {
    terminals: ['stdout', 'stderr'],
    env: { NO_COLOR: '1' },
  });
  expect(stdout).toBe('');
  expect(cli.wheel).toEqual(['start', 'stop']);
  expect(stderr).toContain('2 sealed');
});
