import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { activityOperations, appendActivity, verifyExport } from '../../src/app/activity/index.ts';
import { bindOperations } from '../../src/app/operation.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testNowMs,
  testProcess,
} from '../support/store.ts';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

const one = testProcess(1).key;
let opened: TestStore;

beforeEach(async () => {
  opened = await openTestStore();
  const process = testProcess(1, { status: 'InActive', signees: [] });
  const drafts = [
    { status: 'Created', createdBy: 'eva@example.is', fileName: 'a.pdf' },
    { status: 'WebhookFailed', createdBy: 'System', description: 'bad \u001b[31m text' },
  ];
  await opened.store.write(async (unit) => {
    await unit.processes.add(process);
    const ports = { random: (count: number) => new Uint8Array(count) };
    await appendActivity(unit, ports, process, drafts, testNowMs);
  });
});

afterEach(() => opened.close());

function setup(): CliSetup {
  const activity = bindOperations(
    activityOperations,
    {
      store: opened.store,
      now: () => testNowMs + 2 * 86_400_000,
      random: (count) => new Uint8Array(count).fill(1),
      frontEnd: 'https://sign.example.is',
    },
    testCompany.key,
  );
  const verifyLogExport = (chunks: AsyncIterable<Uint8Array>) =>
    verifyExport(chunks, { anchors: [], nowMs: testNowMs });
  const toolkit = { ...withService({ activity }), verifyLogExport };
  return { toolkit, io: { now: () => testNowMs + 86_400_000 } };
}

const run = (...args: readonly string[]) => openFakeCli().run(['activity', ...args], setup());

function damage(): void {
  const database = new Database(join(opened.folder, 'innsigli.db'));
  database.prepare("update activity set data = replace(data, 'bad', 'good') where seq = 2").run();
  database.close();
}

describe('activity list and total', () => {
  test('prints one line per entry for people and escapes terminal control characters', async () => {
    const { exitCode, stdout } = await run('list');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      one,
      '  2026-01-02 03:04:05Z  Created        eva@example.is  a.pdf',
      '  2026-01-02 03:04:05Z  WebhookFailed  System          bad \\u{1b}[31m text',
      '',
    ]);
  });

  test('prints JSON for programs', async () => {
    const { activity, command } = JSON.parse((await run('list', '--json')).stdout);
    expect(command).toBe('activity list');
    expect(activity[0].activityLog[0]).toMatchObject({ status: 'Created', fileName: 'a.pdf' });
    expect(JSON.parse((await run('total', '--json')).stdout)).toMatchObject({ total: 1 });
  });

  test.each([
    [['total'], '1\n'],
    [['total', '--from', '12h'], '0\n'],
    [['total', '--from', '2d'], '1\n'],
    [['total', '--from', '2026-01-01', '--to', '2026-01-02'], '0\n'],
    [['total', '--status', 'completed'], '0\n'],
    [['total', '--search', 'AGREEMENT 1'], '1\n'],
    [['total', '--process', one, '--flow-type', 'DropAndSign'], '1\n'],
  ])('`activity %j` prints its count or list', async (args, stdout) => {
    expect(await run(...args)).toMatchObject({ exitCode: 0, stdout });
  });

  test.each([
    [['list', '--from', 'yesterday'], /--from: expected/],
    [['list', '--take', 'all'], /--take: expected/],
    [['total', '--status', 'Gone'], /--status: expected/],
  ])('`activity %j` is a usage error', async (args, stderr) => {
    expect(await run(...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(stderr),
    });
  });
});

describe('activity verify', () => {
  test('reports an intact log', async () => {
    const { exitCode, stdout } = await run('verify');
    expect([exitCode, stdout]).toEqual([
      0,
      '✓ the log is intact: 2 rows of 1 process, no day is anchored\n',
    ]);
    expect((await run('verify', one)).stdout).toMatch(/head [0-9a-f]{64}/);
  });

  test('reports an edited row by process and row number and exits with 7', async () => {
    damage();
    const { exitCode, stdout } = await run('verify');
    expect(exitCode).toBe(7);
    expect(stdout).toContain(`✗ ${one} row 2 was changed (row.changed)`);
    const report = JSON.parse((await run('verify', one, '--json')).stdout);
    expect(report).toMatchObject({
      isIntact: false,
      chainFindings: [{ processKey: one, seq: 2, fault: 'row.changed' }],
    });
  });

  test('verifies an export instead of the database', async () => {
    const cli = openFakeCli();
    await cli.run(['activity', 'export', '-o', 'log.jsonl'], setup());
    const good = await cli.run(['activity', 'verify', '--file', 'log.jsonl'], setup());
    // Only a time-stamp proves who wrote the log, and when.
    expect([good.exitCode, good.stdout]).toEqual([
      9,
      '! the export is consistent, not confirmed: 3 rows of 1 process, no day is anchored, ' +
        '3 rows are not confirmed by a time-stamp\n',
    ]);
    await cli.run(['activity', 'export', '--status', 'Active', '-o', 'part.jsonl'], setup());
    const part = await cli.run(['activity', 'verify', '--file', 'part.jsonl'], setup());
    expect([part.exitCode, part.stdout]).toEqual([9, expect.stringContaining('filtered')]);
    const path = join(cli.folder, 'log.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('bad', 'good'));
    const bad = await cli.run(['activity', 'verify', '--file', 'log.jsonl', '--json'], setup());
    expect(bad.exitCode).toBe(7);
    expect(JSON.parse(bad.stdout).chainFindings[0]).toMatchObject({ fault: 'row.changed' });
  });

  test.each([
    [['verify', '--file', 'gone.jsonl'], 5],
    [['verify', one, '--file', 'x'], 2],
    [['verify', '--trust', 'x'], 2],
    [['verify', 'sp-unknown'], 5],
    [['verify', one, '--since', '7d'], 2],
    [['verify', '--since', 'once'], 2],
    [['verify', '--since', '2026-01-01'], 0],
  ])('`activity %j` exits with %d', async (args, exitCode) => {
    expect((await run(...args)).exitCode).toBe(exitCode);
  });
});

describe('activity verify --evidence', () => {
  const statement = async (change: object = {}) => {
    const rows = await opened.store.read(({ activity }) => activity.rows(testProcess(1).key));
    return {
      format: 'innsigli.evidence',
      version: 1,
      company: { key: testCompany.key },
      process: { key: one },
      documents: { sealed: { sha256: 'ab'.repeat(32) } },
      chain: { count: rows.length, head: rows.at(-1)?.hash },
      ...change,
    };
  };
  const compare = async (text: string) => {
    const cli = openFakeCli();
    writeFileSync(join(cli.folder, 'e.json'), text);
    return cli.run(['activity', 'verify', '--evidence', 'e.json'], setup());
  };

  test.each<[string, object, number, string]>([
    ['a different document', {}, 7, 'document.changed'],
    ['a different row', { chain: { count: 2, head: 'ab' } }, 7, 'chain.changed'],
    ['a missing row', { chain: { count: 9, head: 'ab' } }, 7, 'chain.changed'],
    ['a different process', { process: { key: 'sp00' } }, 7, 'process.missing'],
    ['a different root', { lastRoot: { day: '2026-01-02', digest: 'ab' } }, 7, 'roots.changed'],
    ['a different company', { company: { key: 'c0' } }, 2, 'activity.evidence.foreign'],
    ['an unknown format', { format: 'x' }, 7, 'activity.evidence.invalid'],
    ['a head that is not text', { chain: { count: 1, head: 1 } }, 7, 'activity.evidence.invalid'],
  ])('reports how the evidence and the log differ: %s', async (_, change, exitCode, word) => {
    const found = await compare(JSON.stringify(await statement(change)));
    expect(found.exitCode).toBe(exitCode);
    expect(found.stdout + found.stderr).toContain(word);
  });

  test('rejects a file that is not JSON, a missing file, and a key or --file next to --evidence', async () => {
    expect((await compare('%PDF-1.7')).exitCode).toBe(7);
    expect((await run('verify', '--evidence', 'gone.json')).exitCode).toBe(5);
    expect((await run('verify', one, '--evidence', 'x')).exitCode).toBe(2);
    expect((await run('verify', '--file', 'x', '--evidence', 'x')).exitCode).toBe(2);
  });
});

describe('activity anchor', () => {
  test('reports that a root has no time-stamp yet; verify then reports the anchored day', async () => {
    const { exitCode, stderr } = await run('anchor');
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('tsa.missing')]);
    expect((await run('verify')).stdout).toContain('1 day (0 time-stamped) until 2026-01-02');
  });
});

describe('activity export', () => {
  test('never writes through a symbolic link or over an existing temporary file', async () => {
    const cli = openFakeCli({ victim: 'token' });
    const temporary = `.innsigli-export-${process.pid}.tmp`;
    symlinkSync('victim', join(cli.folder, temporary));
    symlinkSync('victim', join(cli.folder, 'log'));
    const plain = ['activity', 'export', '-o'];
    expect((await cli.run([...plain, 'new.jsonl'], setup())).exitCode).toBe(0);
    expect((await cli.run([...plain, 'log'], setup())).exitCode).toBe(2);
    expect((await cli.run([...plain, 'log', '--force'], setup())).exitCode).toBe(1);
    expect(readFileSync(join(cli.folder, 'victim'), 'utf8')).toBe('token');
    expect(cli.files()).toEqual([temporary, 'log', 'new.jsonl', 'victim']);
  });

  test('writes to stdout without -o', async () => {
    const { stdout } = await run('export');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(['header', 'row', 'row', 'row', 'end']);
  });

  test('writes a file readable by its owner only and replaces an existing one only with --force', async () => {
    const cli = openFakeCli({ 'there.csv': 'mine' });
    const first = await cli.run(
      ['activity', 'export', '--format', 'csv', '-o', 'log.csv'],
      setup(),
    );
    expect(first.exitCode).toBe(0);
    expect(readFileSync(join(cli.folder, 'log.csv'), 'utf8')).toMatch(/^processKey,/);
    expect(statSync(join(cli.folder, 'log.csv')).mode & 0o077).toBe(0);
    const second = await cli.run(['activity', 'export', '-o', 'there.csv'], setup());
    expect([second.exitCode, second.stderr]).toEqual([2, expect.stringContaining('exists')]);
    expect(readFileSync(join(cli.folder, 'there.csv'), 'utf8')).toBe('mine');
    const forced = await cli.run(['activity', 'export', '-o', 'there.csv', '--force'], setup());
    expect(forced.exitCode).toBe(0);
    expect(cli.files()).toEqual(['log.csv', 'there.csv']);
    const lost = await cli.run(['activity', 'export', '-o', 'no/such/folder'], setup());
    expect(lost.exitCode).toBe(1);
  });

  test('--anonymous leaves out personal data', async () => {
    const { stdout } = await run('export', '--anonymous', '--by', 'eva@example.is');
    expect(stdout).not.toMatch(/eva@|a\.pdf/);
    expect(stdout).toContain('ActivityExported');
  });
});
