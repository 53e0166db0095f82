import { expect, test } from 'vitest';
import type { CollectionOptions, CollectionReport } from '../../src/app/storage/index.ts';
import { InnsigliError } from '../../src/base/errors.ts';
import type { StorageFigures } from '../../src/wire/toolkit.types.ts';
import { openFakeCli } from './support/fake-cli.ts';

const id = 'ab'.repeat(16);
const figures: StorageFigures = {
  databaseId: id,
  folderId: id,
  folder: '/data/objects',
  sampled: 2,
  missing: 1,
  contents: 12,
  unknown: 3,
  marked: 3,
  hosts: ['one', 'two'],
  refused: 3,
};
const report: CollectionReport = {
  contents: 12,
  orphans: 3,
  marked: 1,
  due: 2,
  removed: 2,
  restarted: false,
};

const nowMs = Date.parse('2026-03-06T12:00:00Z');

function open(shown: StorageFigures = figures, expectedMs?: number) {
  const accepts: boolean[] = [];
  const options: CollectionOptions[] = [];
  let adopted = 0;
  const storage = {
    show: async () => shown,
    adopt: async () => {
      adopted += 1;
      return 'cd'.repeat(16);
    },
    clock: async (accept: boolean) => {
      accepts.push(accept);
      return { nowMs, ...(expectedMs === undefined ? {} : { expectedMs }) };
    },
    collect: async (request: CollectionOptions) => {
      options.push(request);
      if (request.confirmed === true || request.dryRun === true) return report;
      throw new InnsigliError('store.collect.refused', '3 of 12 contents would be removed');
    },
  };
  const toolkit = { storage: () => Promise.resolve(storage) };
  const run = (line: string) => openFakeCli().run(line.split(' '), { toolkit });
  return { run, options, adopted: () => adopted, accepts };
}

test('show prints IDs and figures, and its exit code says whether database and contents match', async () => {
  const { exitCode, stdout } = await open().run('store show');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')).toEqual([
    `database: store ${id}`,
    `contents: store ${id} in /data/objects`,
    'needed: 1 of 2 sampled contents found',
    'stored: 12 contents, 3 unreferenced',
    'marked: 3 contents',
    'hosts: one, two',
    'refused: the last collection would have removed 3 contents',
    '',
  ]);
  const { folderId: _, ...rest } = figures;
  expect((await open(rest).run('store show')).exitCode).toBe(10);
  const shown = JSON.parse((await open(rest).run('store show --json')).stdout);
  expect(shown).toMatchObject({ v: 1, command: 'store show', ok: false, contents: 12 });
});

test('adopt shows what it would join, and joins only with --yes', async () => {
  const { run, adopted } = open();
  const asked = await run('store adopt');
  expect(asked).toMatchObject({ exitCode: 9, stdout: '' });
  expect(asked.stderr).toContain('Nothing was changed');
  expect(adopted()).toBe(0);
  expect(await run('store adopt --yes')).toMatchObject({
    exitCode: 0,
    stdout: `store: ${'cd'.repeat(16)}\n`,
  });
  expect(adopted()).toBe(1);
});

test('collect passes its options on and exits with 6 when rejected', async () => {
  const { run, options } = open();
  expect(await run('store collect')).toMatchObject({ exitCode: 6, stdout: '' });
  expect((await run('store collect --dry-run')).stdout).toContain('to be marked: 1 content\n');
  expect((await run('store collect --yes')).stdout).toContain('removed: 2 contents\n');
  expect(await run('store collect --yes --dry-run')).toMatchObject({ exitCode: 2 });
  expect(options).toEqual([
    { confirmed: false, dryRun: false },
    { confirmed: false, dryRun: true },
    { confirmed: true, dryRun: false },
  ]);
});

test('clock compares the clocks, exits by whether the clock is trusted, and can accept it', async () => {
  const sound = await open().run('store clock');
  expect(sound).toMatchObject({ exitCode: 0, stderr: '' });
  expect(sound.stdout).toBe('clock:    2026-03-06T12:00:00.000Z\nexpected: the same\n');
  const { run, accepts } = open(figures, nowMs - 432_000_000);
  const wrong = await run('store clock');
  expect(wrong.exitCode).toBe(9);
  expect(wrong.stdout).toContain('expected: 2026-03-01T12:00:00.000Z\n');
  expect(await run('store clock --accept')).toMatchObject({ exitCode: 0 });
  expect(JSON.parse((await run('store clock --json')).stdout)).toEqual({
    v: 1,
    command: 'store clock',
    ok: false,
    accepted: false,
    nowMs,
    expectedMs: nowMs - 432_000_000,
    warnings: [],
  });
  expect(accepts).toEqual([false, true, false]);
});
