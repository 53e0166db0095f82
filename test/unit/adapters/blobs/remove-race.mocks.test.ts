/** A different process stores a blob again at the moment it is removed. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFileBlobs } from '../../../../src/adapters/blobs/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';

/** Called once, right before the next rename. */
let meanwhile: (() => void) | undefined;
/** True: the program crashes before it deletes the renamed blob. */
let isDying = false;
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const before = () => {
    const act = meanwhile;
    meanwhile = undefined;
    act?.();
  };
  return {
    ...real,
    rmSync: (...given: Parameters<typeof fs.rmSync>) => {
      if (isDying && String(given[0]).includes('.gone-')) throw new Error('killed');
      real.rmSync(...given);
    },
    renameSync: (...given: Parameters<typeof fs.renameSync>) => {
      before();
      real.renameSync(...given);
    },
  };
});

const content = Buffer.from('%PDF-1.7 a content of last year');
const sha256 = createHash('sha256').update(content).digest('hex');
const DAY_S = 86_400;
const HOUR = 3_600_000;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = newTemporaryFolder('blobs');
  path = join(folder, 'objects', sha256.slice(0, 2), sha256);
  await openFileBlobs(folder).put(content);
  fs.utimesSync(path, DAY_S, DAY_S);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

const names = () => fs.readdirSync(dirname(path));

test('a blob renewed during its removal is kept', async () => {
  const blobs = openFileBlobs(folder);
  meanwhile = () => fs.utimesSync(path, DAY_S * 9, DAY_S * 9);
  expect(await blobs.remove(sha256, { storedUntilMs: DAY_S * 2000 })).toBe(false);
  expect(meanwhile).toBeUndefined();
  expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
  expect(names()).toEqual([sha256]);
});

test('a blob that another process removes meanwhile is gone', async () => {
  meanwhile = () => fs.unlinkSync(path);
  expect(await openFileBlobs(folder).remove(sha256, { storedUntilMs: DAY_S * 2000 })).toBe(true);
  expect(names()).toEqual([]);
});

const listed = async () => {
  const found: string[] = [];
  for await (const each of openFileBlobs(folder).list()) found.push(each.sha256);
  return found;
};

test('a blob whose removal crashes remains available until it is removed again', async () => {
  const blobs = openFileBlobs(folder);
  isDying = true;
  await expect(blobs.remove(sha256)).rejects.toMatchObject({ code: 'store.unavailable' });
  isDying = false;
  expect(names()).toEqual([expect.stringMatching(/^\.gone-/)]);
  expect(await blobs.has(sha256)).toBe(true);
  expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
  await listed();
  expect(names()).toEqual([expect.stringMatching(/^\.gone-/)]);
});

/** The name that a removal uses, as if it had started this long ago. */
const leavingName = (agoMs: number) =>
  join(dirname(path), `.gone-${sha256}-${Date.now() - agoMs}-1`);

test('a later listing restores what a killed removal left, because it may be needed again', async () => {
  fs.renameSync(path, leavingName(0));
  expect(await listed()).toEqual([]);
  expect(names()).toHaveLength(1);
  fs.renameSync(join(dirname(path), names()[0] ?? ''), leavingName(2 * HOUR));
  await listed();
  expect(await listed()).toEqual([sha256]);
  expect(Buffer.from(await openFileBlobs(folder).get(sha256))).toEqual(content);
  expect(fs.statSync(path).mtimeMs).toBe(DAY_S * 1000);
  // A blob stored again since is kept.
  fs.renameSync(path, leavingName(2 * HOUR));
  await openFileBlobs(folder).put(content);
  await listed();
  expect(names()).toEqual([sha256]);
});

test('the leftover of a killed removal does not survive a repeated removal', async () => {
  fs.renameSync(path, leavingName(0));
  // The other removal may still be running.
  expect(await openFileBlobs(folder).remove(sha256)).toBe(false);
  fs.renameSync(join(dirname(path), names()[0] ?? ''), leavingName(2 * HOUR));
  expect(await openFileBlobs(folder).remove(sha256)).toBe(true);
  expect(names()).toEqual([]);
});
