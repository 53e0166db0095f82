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
if (!isBuilt) console.warn('SKIPPED test/cli/batch-xml-process.test.ts: run npm run build first');

const count = 24;
const inputOf = (index: number) =>
  `<?xml version="1.0"?>\n<doc n="${index}">\n  <line>${'text '.repeat(index)}</line>\n</doc>\n`;

describe.skipIf(!isBuilt)('a batch of XML with the built program', () => {
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
      writeFileSync(join(folder, name, below, `f${index}.xml`), inputOf(index));
    }
  };
  /** The XML files below a folder: their count and their number of signatures. */
  const results = (name: string) => {
    const all = existsSync(join(folder, name))
      ? readdirSync(join(folder, name), { recursive: true })
      : [];
    return all
      .map(String)
      .filter((path) => path.endsWith('.xml'))
      .map((path) => {
        const text = readFileSync(join(folder, name, path), 'utf8');
        const rest = text.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
        const index = Number(/f(\d+)\.xml$/.exec(path)?.[1]);
        return { seals: text.split('<ds:Signature ').length - 1, isWhole: rest === inputOf(index) };
      });
  };

  beforeAll(() => {
    folder = newTemporaryFolder('batch-xml');
    fill('in');
    expect(run('init')).toMatchObject({ status: 0 });
  });

  test.each([
    ['into a folder', 'out', ['seal-xml', 'in', '--out-dir', 'out']],
    ['in place', 'place', ['seal-xml', 'place', '--in-place']],
  ])(
    'killed at random points, %s, it leaves no partial file and seals none twice',
    async (_, name, args) => {
      if (name === 'place') fill(name);
      const line = [program, ...args, '--level', 'b-b', '--jobs', '2', '--resume'];
      for (let kills = 0; kills < 6; kills += 1) {
        const delayMs = 100 + Math.random() * 400;
        await new Promise<void>((done) => {
          const child = spawn(process.execPath, line, { ...environment(), stdio: 'ignore' });
          const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
          child.on('exit', () => {
            clearTimeout(timer);
            done();
          });
        });
        const found = results(name);
        expect(found.filter(({ seals, isWhole }) => seals > 1 || !isWhole)).toEqual([]);
      }
      expect(run(...line.slice(1))).toMatchObject({ status: 0 });
      expect(results(name)).toEqual(
        Array.from({ length: count }, () => ({ seals: 1, isWhole: true })),
      );
      const names = readdirSync(join(folder, name), { recursive: true }).map(String);
      expect(names.filter((path) => /\.tmp$|\.lock/.test(path))).toEqual([]);
      expect(run('verify', name, '-q', '--revocation', 'ignore')).toMatchObject({ status: 0 });
    },
    60_000,
  );

  test('worker threads archive and verify a folder of PDF, XML and a container', () => {
    mkdirSync(join(folder, 'mixed'));
    copyFileSync('fixtures/pdf/agreement.pdf', join(folder, 'a.pdf'));
    writeFileSync(join(folder, 'a.xml'), inputOf(1));
    const level = ['--level', 'b-b', '-q'];
    expect(run('seal', 'a.pdf', '-o', 'mixed/a.pdf', ...level).status).toBe(0);
    expect(run('seal-xml', 'a.xml', '-o', 'mixed/a.xml', ...level).status).toBe(0);
    const both = ['a.pdf', 'a.xml', '--container', 'asic-e', '-o', 'mixed/both.asice'];
    expect(run('seal-xml', ...both, ...level).status).toBe(0);
    const archived = run('archive', 'mixed', '--out-dir', 'kept', '--jobs', '2', '--json');
    expect(archived.status).toBe(0);
    expect(JSON.parse(archived.stdout).summary).toMatchObject({ done: 3, failed: 0 });
    const checked = run('verify', 'kept', '--jobs', '2', '--json');
    expect(checked.status).toBe(0);
    const items = JSON.parse(checked.stdout).items as {
      input: string;
      verdict: string;
      report: { format: string; signatures: { level?: string }[] };
    }[];
    const found = items.map(({ input, verdict, report }) => {
      return [input, verdict, report.format, report.signatures[0]?.level];
    });
    expect(found.sort()).toEqual([
      ['kept/a.pdf', 'TOTAL-PASSED', 'pdf', 'B-LTA'],
      ['kept/a.xml', 'TOTAL-PASSED', 'xml', 'B-LTA'],
      ['kept/both.asice', 'TOTAL-PASSED', 'asic-e', 'B-LTA'],
    ]);
  });
});
