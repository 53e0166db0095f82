import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/batch.cjs');
const hasPty = spawnSync('script', ['--version']).status === 0;
const isSkipped = !isBuilt || !hasPty;
if (isSkipped) console.warn('SKIPPED test/cli/interrupt.test.ts: needs dist/ and script(1)');

const count = 150;

describe.skipIf(isSkipped)('Ctrl-C at a terminal (skipped without dist/)', () => {
  let folder = '';
  const environment = () => ({
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      INNSIGLI_HOME: join(folder, 'data'),
      TERM: 'xterm',
    },
  });
  const node = (args: readonly string[]) =>
    [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  /** Runs the program at a terminal; `typed` is typed when the text has appeared. */
  const atTerminal = async (
    args: readonly string[],
    typed: (terminal: Typist) => void,
    columns = 80,
  ) => {
    const line = ['-qefc', `stty cols ${columns}; exec ${node(args)}`, '/dev/null'];
    const child = spawn('script', line, { ...environment(), stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    const terminal = { text: () => text, type: (keys: string) => void child.stdin.write(keys) };
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdout.on('data', (data) => {
      text += String(data);
      typed(terminal);
    });
    const code = await new Promise((done) => child.on('exit', done));
    return { code, text };
  };
  const leftovers = (name: string) =>
    readdirSync(join(folder, name), { recursive: true })
      .map(String)
      .filter((path) => /\.tmp$|\.lock/.test(path));

  beforeAll(() => {
    folder = newTemporaryFolder('interrupt');
    mkdirSync(join(folder, 'in'));
    for (let index = 0; index < count; index += 1) {
      copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'in', `f${index}.pdf`));
    }
    expect(spawnSync(process.execPath, [program, 'init'], environment()).status).toBe(0);
  });

  /** Types Ctrl-C once, when the wheel shows numbers. */
  const once = () => {
    let isTyped = false;
    return ({ text, type }: Typist) => {
      if (isTyped || !/[1-9]\d*\/\d+ processed/.test(text())) return;
      isTyped = true;
      type('\u0003');
    };
  };

  test.each(['1', '2'])(
    'with %s jobs it finishes running documents and reports the rest',
    async (jobs) => {
      const out = `out${jobs}`;
      const args = ['seal', 'in', '--out-dir', out, '--jobs', jobs];
      const { code, text } = await atTerminal(args, once());
      expect({ code, text }).toMatchObject({ code: 130 });
      expect(text).toContain('finishing the work in progress');
      expect(text).toMatch(/\d+ sealed, \d+ not started/);
      expect(text).toContain('the same command with --resume');
      expect(leftovers(out)).toEqual([]);
    },
    30_000,
  );

  test('it ends --watch with a summary', async () => {
    let isTyped = false;
    const args = ['seal', 'in', '--out-dir', 'watched', '--watch', '--level', 'b-b', '-j', '1'];
    const { code, text } = await atTerminal(args, ({ text, type }) => {
      if (isTyped || !/[1-9]\d* processed/.test(text())) return;
      isTyped = true;
      type('\u0003');
    });
    expect({ code, text }).toMatchObject({ code: 130 });
    expect(text).toMatch(/[1-9]\d* sealed/);
    expect(leftovers('watched')).toEqual([]);
  }, 30_000);

  test('a second Ctrl-C exits immediately and leaves no lock', async () => {
    const types: number[] = [];
    const args = ['seal', 'in', '--out-dir', 'twice', '-j', '1', '--tsa-rate', '1'];
    const { code } = await atTerminal(args, ({ text, type }) => {
      if (types.length > 0 || !/processed/.test(text())) return;
      types.push(1);
      type('\u0003');
      setTimeout(() => type('\u0003'), 600);
    });
    expect(code).toBe(130);
    expect(leftovers('twice').filter((path) => path.endsWith('.lock'))).toEqual([]);
  }, 30_000);

  test('two signals for one Ctrl-C, as npm forwards it, count as one', async () => {
    const args = ['seal', 'in', '--out-dir', 'double', '-j', '1'];
    let isTyped = false;
    const { code, text } = await atTerminal(args, ({ text: said, type }) => {
      if (isTyped || !/[1-9]\d*\/\d+ processed/.test(said())) return;
      isTyped = true;
      type('\u0003\u0003');
    });
    expect({ code, text }).toMatchObject({ code: 130 });
    expect(text).toMatch(/\d+ sealed, \d+ not started/);
  }, 30_000);

  test('a batch finishes at a terminal that reports no width', async () => {
    const args = ['seal', 'in/f1.pdf', 'in/f2.pdf', '--out-dir', 'bare', '-j', '1'];
    const { code, text } = await atTerminal(args, () => undefined, 0);
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain('2 sealed');
  }, 30_000);

  test.runIf(process.getuid?.() === 0)('an unreadable folder fails alone', () => {
    mkdirSync(join(folder, 'some/closed'), { recursive: true });
    for (const name of ['some/a.pdf', 'some/closed/b.pdf']) {
      copyFileSync('fixtures/pdf/agreement.pdf', join(folder, name));
    }
    chmodSync(join(folder, 'some/closed'), 0);
    mkdirSync(join(folder, 'theirs'), { mode: 0o777 });
    for (const path of ['', 'theirs']) chmodSync(join(folder, path), 0o777);
    const found = spawnSync(
      process.execPath,
      [program, 'seal', 'some', '--out-dir', 'theirs/out', '--level', 'b-b', '-j1'],
      {
        ...environment(),
        uid: 65_534,
        gid: 65_534,
        encoding: 'utf8',
        env: { ...environment().env, INNSIGLI_HOME: join(folder, 'theirs/data') },
      },
    );
    expect(found).toMatchObject({ status: 3 });
    expect(found.stderr).toContain('some/closed cannot be read: permission denied');
    expect(existsSync(join(folder, 'theirs/out/a.pdf'))).toBe(true);
  });
});

interface Typist {
  text(): string;
  type(keys: string): void;
}
