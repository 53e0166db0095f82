import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadStyle } from '../../src/cli/output/index.ts';
import { newTemporaryFolder } from '../support/folders.ts';

const program = resolve('bin/innsigli.cjs');
const isBuilt = existsSync('dist/cli/batch.cjs');
const hasPty = spawnSync('script', ['--version']).status === 0;
const isSkipped = !isBuilt || !hasPty;
if (isSkipped) console.warn('SKIPPED test/cli/terminal.test.ts: needs dist/ and script(1)');

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const colours = /\u001b\[[0-9;]*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: nothing else may pass.
const wheel = /\u001b\[(?:\?(?:25|2026)[lh]|[0-9]*[A-GJK])/g;

test('a style paints only its first argument', async () => {
  const style = await loadStyle(true);
  const { width: _, ...paints } = style;
  for (const paint of Object.values(paints)) {
    const painted = ['first', 'second'].map(paint).map((text) => text.replace(colours, ''));
    expect(painted).toEqual(['first', 'second']);
  }
});

describe.skipIf(isSkipped)('the built program at a terminal (skipped without dist/)', () => {
  let folder = '';
  const env = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'data'),
    TERM: 'xterm-256color',
    ...more,
  });
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const options = { cwd: folder, env: env(more), encoding: 'utf8' } as const;
    return spawnSync(process.execPath, [program, ...args], options);
  };
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  /** The output at a terminal of this width. */
  const atTerminal = (args: readonly string[], columns: number): string => {
    const line = [process.execPath, program, ...args].map(quoted).join(' ');
    const options = { cwd: folder, env: env(), encoding: 'utf8' } as const;
    const command = `stty cols ${columns} rows 40; ${line}`;
    const { stdout } = spawnSync('script', ['-qefc', command, '/dev/null'], options);
    return stdout.replaceAll('\r\n', '\n');
  };

  beforeAll(() => {
    folder = newTemporaryFolder('terminal');
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'a.pdf'));
    writeFileSync(join(folder, 'a.xml'), '<a><b Id="b1">x</b></a>');
    run(['init']);
    expect(run(['seal', 'a.pdf', '--level', 'b-b']).status).toBe(0);
    expect(run(['seal-xml', 'a.xml', '--level', 'b-b', '--id', 'b1']).status).toBe(0);
    run(['seal-xml', 'a.pdf', 'a.xml', '--container', 'asic-e', '-o', 'a.asice']);
    const sealed = readFileSync(join(folder, 'a.sealed.pdf'));
    writeFileSync(join(folder, 'more.pdf'), Buffer.concat([sealed, Buffer.from('\n% more\n')]));
    sealed[200] = (sealed[200] as number) ^ 1;
    writeFileSync(join(folder, 'bad.pdf'), sealed);
  }, 60_000);

  const reports: readonly (readonly string[])[] = [
    ['verify', 'a.sealed.pdf'],
    ['verify', 'bad.pdf'],
    ['verify', 'more.pdf'],
    ['verify', 'a.pdf'],
    ['verify', 'a.sealed.xml', 'a.asice'],
    ['verify', 'a.sealed.pdf', 'bad.pdf', '-j1'],
    ['verify', 'none.pdf'],
    ['seal', 'a.pdf', '--level', 'b-b', '--force'],
    ['seal-xml', 'a.xml', '--level', 'b-b', '--force'],
    ['archive', 'a.sealed.pdf', '--force'],
    ['doctor'],
    ['config', 'explain'],
    ['process', 'list'],
    ['activity', 'list'],
    ['flow', 'list'],
    ['store', 'show'],
    ['help', 'environment'],
    ['seal', '--levl', 'x'],
  ];

  test.each(reports)('%s %s: colour changes only the colours', (...args) => {
    const plain = run(args);
    const forced = run(args, { FORCE_COLOR: '1' });
    const steady = (text: string) =>
      text
        .replace(colours, '')
        .replace(/\d+(?:\.\d+)? (?:s|ms|per second)\b/g, 'T')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
        // Two runs create two signatures: a DER integer may be one byte longer, and "39.5 kB" may
        // become 39.6.
        .replace(/\d+(?:\.\d+)? (?=kB)/g, 'N ');
    expect(steady(forced.stdout)).toBe(steady(plain.stdout));
    expect(steady(forced.stderr)).toBe(steady(plain.stderr));
    expect(forced.status).toBe(plain.status);
  });

  test.each([60, 80, 120])(
    'sentences fit into %i columns',
    (columns) => {
      for (const args of reports) {
        const found = atTerminal(args, columns);
        const text = found.replace(colours, '').replace(wheel, '');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing of it may be left.
        expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
        expect(text).not.toMatch(/undefined|\[object|NaN|=>/);
        const isProse = (line: string) => /^ +(?:- |finding |· |! )|^hint: /.test(line);
        const wide = text.split('\n').filter((line) => isProse(line) && line.length > columns);
        expect(wide).toEqual([]);
      }
    },
    120_000,
  );
});
