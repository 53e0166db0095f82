/** Another process stores a content again at the moment at which it is removed. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFileBlobs } from '../../../../src/adapters/blobs/index.ts';

/** Called once, right before the next file goes or gets another name. */
let meanwhile: (() => void) | undefined;
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
      before();
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

let folder: string;
let path: string;
beforeEach(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), 'innsigli-blobs-'));
  path = join(folder, 'objects', sha256.slice(0, 2), sha256);
  await openFileBlobs(folder).put(content);
  fs.utimesSync(path, DAY_S, DAY_S);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

const names = () => fs.readdirSync(dirname(path));

test('a content that gets a new age meanwhile stays', async () => {
  const blobs = openFileBlobs(folder);
  meanwhile = () => fs.utimesSync(path, DAY_S * 9, DAY_S * 9);
  expect(await blobs.remove(sha256, DAY_S * 2000)).toBe(false);
  expect(meanwhile).toBeUndefined();
  expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
  expect(names()).toEqual([sha256]);
});

test('a content that another process removes meanwhile is gone', async () => {
  meanwhile = () => fs.unlinkSync(path);
  expect(await openFileBlobs(folder).remove(sha256, DAY_S * 2000)).toBe(true);
  expect(names()).toEqual([]);
});

const listed = async () => {
  const found: string[] = [];
  for await (const each of openFileBlobs(folder).list()) found.push(each.sha256);
  return found;
};

test('a later list puts back what a killed removal left: it may be needed again', async () => {
  fs.renameSync(path, join(dirname(path), `.gone-${sha256}-1`));
  expect(await listed()).toEqual([]);
  expect(names()).toEqual([`.gone-${sha256}-1`]);
  const nowMs = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(nowMs + 2 * 3_600_000);
  await listed();
  expect(await listed()).toEqual([sha256]);
  expect(Buffer.from(await openFileBlobs(folder).get(sha256))).toEqual(content);
  // Stored again since: that one stays.
  fs.renameSync(path, join(dirname(path), `.gone-${sha256}-2`));
  fs.renameSync(join(dirname(path), `.gone-${sha256}-2`), join(dirname(path), '.gone-3'));
  await openFileBlobs(folder).put(content);
  await listed();
  expect(names()).toEqual([sha256]);
});

test('what a killed removal left does not outlive a removal that is done again', async () => {
  const aside = join(dirname(path), `.gone-${sha256}-1`);
  fs.renameSync(path, aside);
  // The other one may still be at work.
  expect(await openFileBlobs(folder).remove(sha256)).toBe(false);
  const nowMs = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(nowMs + 2 * 3_600_000);
  expect(await openFileBlobs(folder).remove(sha256)).toBe(true);
  expect(names()).toEqual([]);
});
