import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/batch.cjs');
if (!isBuilt) console.warn('SKIPPED test/cli/batch-process.test.ts: run npm run build first');

const original = readFileSync('fixtures/pdf/agreement.pdf');
const count = 24;

/** Logs each bundle and whether V8 accepted the compiled code next to it. */
const noteScripts = `
const { appendFileSync } = require('node:fs');
const { basename } = require('node:path');
const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    const isTaken = this.cachedDataRejected === false;
    const line = basename(options.filename) + (isTaken ? ' taken' : ' refused');
    appendFileSync(process.env.SCRIPTS, line + '\\n');
  }
};
`;

describe.skipIf(!isBuilt)('a batch of the built program (skipped when dist/ is missing)', () => {
  let folder = '';
  const environment = () => ({
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      INNSIGLI_HOME: join(folder, 'data'),
    },
  });
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], { ...environment(), encoding: 'utf8' });
  const fill = (name: string) => {
    mkdirSync(join(folder, name, 'sub'), { recursive: true });
    for (let index = 0; index < count; index += 1) {
      const below = index % 2 === 0 ? '.' : 'sub';
      copyFileSync('fixtures/pdf/agreement.pdf', join(folder, name, below, `f${index}.pdf`));
    }
  };
  /** Contents of all PDFs below a folder. */
  const results = (name: string) =>
    (existsSync(join(folder, name)) ? readdirSync(join(folder, name), { recursive: true }) : [])
      .map(String)
      .filter((path) => path.endsWith('.pdf'))
      .map((path) => readFileSync(join(folder, name, path)));
  const seals = (bytes: Buffer) => bytes.toString('latin1').split('/ByteRange').length - 1;

  beforeAll(() => {
    folder = newTemporaryFolder('batch');
    fill('in');
    expect(run('init')).toMatchObject({ status: 0 });
  });

  test('worker threads seal and verify; an invalid file is one failed row', () => {
    mkdirSync(join(folder, 'few'));
    for (const name of ['a.pdf', 'b.pdf']) {
      copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'few', name));
    }
    writeFileSync(join(folder, 'few/bad.pdf'), 'no document');
    const sealed = run('seal', 'few', '--out-dir', 'done', '--jobs', '2', '--json');
    expect(sealed.status).toBe(3);
    // V8 prints flags it does not know there; they differ between versions.
    expect(sealed.stderr).not.toContain('flag');
    const { items, summary } = JSON.parse(sealed.stdout);
    expect(summary).toMatchObject({ total: 3, done: 2, failed: 1, timestampRequests: 4 });
    expect(items.find((item: { status: string }) => item.status === 'failed')).toMatchObject({
      input: 'few/bad.pdf',
      error: { code: 'pdf.notpdf' },
    });
    const verified = run('verify', 'done/*.pdf', '--jobs', '2');
    expect(verified.status).toBe(0);
    expect(verified.stdout.match(/^TOTAL-PASSED {2}done\/[ab]\.pdf$/gm)).toHaveLength(2);
  });

  test('worker threads use the code compiled at build time', () => {
    writeFileSync(join(folder, 'scripts.cjs'), noteScripts);
    const log = join(folder, 'scripts.log');
    const { env, ...rest } = environment();
    const options = ['--level', 'b-b', '--out-dir', 'compiled', '--jobs', '2'];
    const line = ['-r', './scripts.cjs', program, 'seal', 'in', ...options];
    const ended = spawnSync(process.execPath, line, { ...rest, env: { ...env, SCRIPTS: log } });
    expect(ended.status).toBe(0);
    const noted = readFileSync(log, 'utf8').trim().split('\n');
    // Twice by a worker thread, and once by the program that created the development trust.
    expect(noted.filter((script) => script.startsWith('toolkit.cjs'))).toEqual([
      ...['toolkit.cjs taken', 'toolkit.cjs taken', 'toolkit.cjs taken'],
    ]);
  });

  test.each([
    ['into a folder', 'out', ['seal', 'in', '--out-dir', 'out']],
    ['in place', 'place', ['seal', 'place', '--in-place']],
  ])(
    'killed at ten random points, %s, it leaves no partial file and seals none twice',
    async (_, name, args) => {
      const isInPlace = name === 'place';
      if (isInPlace) fill(name);
      const line = [program, ...args, '--level', 'b-b', '--jobs', '2', '--resume'];
      for (let kills = 0; kills < 10; kills += 1) {
        const delayMs = 100 + Math.random() * 400;
        await new Promise<void>((done) => {
          const child = spawn(process.execPath, line, { ...environment(), stdio: 'ignore' });
          const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
          child.on('exit', () => {
            clearTimeout(timer);
            done();
          });
        });
        for (const bytes of results(name)) {
          expect(bytes.subarray(0, original.length).equals(original)).toBe(true);
          if (bytes.length === original.length && isInPlace) continue;
          expect(seals(bytes)).toBe(1);
          expect(bytes.subarray(-6).toString('latin1')).toContain('%%EOF');
        }
      }
      expect(run(...line.slice(1))).toMatchObject({ status: 0 });
      expect(results(name).map(seals)).toEqual(Array.from({ length: count }, () => 1));
      const names = readdirSync(join(folder, name), { recursive: true }).map(String);
      expect(names.filter((path) => /\.tmp$|\.lock/.test(path))).toEqual([]);
      expect(run('verify', name, '-q', '--revocation', 'ignore')).toMatchObject({ status: 0 });
    },
    60_000,
  );

  test('Ctrl-C exits with 130 and keeps the journal', async () => {
    const line = ['seal', 'in', '--out-dir', 'late', '--jobs', '1', '--resume'];
    const child = spawn(process.execPath, [program, ...line], {
      ...environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const code = await new Promise((done) => child.on('exit', done));
    expect(code).toBe(130);
    const sealedCount = results('late').length;
    expect(sealedCount).toBeGreaterThan(0);
    const resumed = run(...line, '--json');
    expect(resumed.status).toBe(0);
    expect(JSON.parse(resumed.stdout).summary).toMatchObject({
      total: count,
      skipped: sealedCount,
    });
  });

  test('--watch seals new files until Ctrl-C', async () => {
    mkdirSync(join(folder, 'drop'));
    const line = ['seal', 'drop', '--out-dir', 'watched', '--watch', '--level', 'b-b', '-j', '1'];
    const child = spawn(process.execPath, [program, ...line], {
      ...environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const first = new Promise<string>((done) =>
      child.stdout.once('data', (data) => done(`${data}`)),
    );
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'drop/new.pdf'));
    expect(await first).toBe('watched/new.pdf\n');
    child.kill('SIGINT');
    expect(await new Promise((done) => child.on('exit', done))).toBe(130);
    expect(results('watched').map(seals)).toEqual([1]);
  });
});
