import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileBlobs } from '../../../../src/adapters/blobs/index.ts';
import type { BlobStore } from '../../../../src/app/ports/index.ts';

let folder: string;
let blobs: BlobStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'innsigli-blobs-'));
  blobs = openFileBlobs(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const content = Buffer.from('%PDF-1.7 …');
const sha256 = createHash('sha256').update(content).digest('hex');
const pathOf = (name: string) => join(folder, 'objects', name.slice(0, 2), name);
const names = async () => {
  const found: string[] = [];
  for await (const each of blobs.list()) found.push(each.sha256);
  return found.sort();
};

describe('contents of documents', () => {
  test('are found by their digest', async () => {
    expect(await blobs.has(sha256)).toBe(false);
    expect(await blobs.put(content)).toBe(sha256);
    expect(await blobs.has(sha256)).toBe(true);
    expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
    expect(statSync(pathOf(sha256)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(pathOf(sha256)))).toEqual([sha256]);
  });

  test('may be empty', async () => {
    const empty = await blobs.put(new Uint8Array(0));
    expect((await blobs.get(empty)).length).toBe(0);
  });

  test('are there once, with a new age each time', async () => {
    await blobs.put(content);
    utimesSync(pathOf(sha256), 1, 1);
    await blobs.put(content);
    expect(await names()).toEqual([sha256]);
    for await (const { modifiedAtMs } of blobs.list()) {
      expect(Date.now() - modifiedAtMs).toBeLessThan(60_000);
    }
  });

  test('that are put by many at the same time', async () => {
    const many = Array.from({ length: 30 }, () => openFileBlobs(folder).put(content));
    expect(new Set(await Promise.all(many))).toEqual(new Set([sha256]));
    expect(readdirSync(dirname(pathOf(sha256)))).toEqual([sha256]);
  });

  test('that are missing or have no digest for a name', async () => {
    for (const name of [sha256, '', '../../etc/passwd', sha256.toUpperCase()]) {
      await expect(blobs.get(name)).rejects.toMatchObject({ code: 'blob.missing' });
      expect(await blobs.has(name)).toBe(false);
      await blobs.remove(name);
    }
  });

  test.each([
    ['changed', Buffer.from('%PDF-1.7 ...')],
    ['cut', content.subarray(0, 4)],
    ['emptied', Buffer.alloc(0)],
  ])('that were %s are refused, and mended when they are put again', async (_, octets) => {
    await blobs.put(content);
    writeFileSync(pathOf(sha256), octets);
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob.corrupt' });
    await blobs.put(content);
    expect(readFileSync(pathOf(sha256))).toEqual(content);
  });

  test('are listed and removed', async () => {
    const all = [];
    for (let index = 0; index < 20; index++) all.push(await blobs.put(randomBytes(20)));
    expect(await names()).toEqual([...all].sort());
    await blobs.remove(all[0] as string);
    await blobs.remove(all[0] as string);
    expect(await names()).toEqual(all.slice(1).sort());
  });

  test('that were stored after a time stay', async () => {
    await blobs.put(content);
    const { mtimeMs } = statSync(pathOf(sha256));
    expect(await blobs.remove(sha256, mtimeMs - 1)).toBe(false);
    expect(await blobs.has(sha256)).toBe(true);
    expect(await blobs.remove(sha256, mtimeMs)).toBe(true);
    expect(await blobs.remove(sha256, 0)).toBe(true);
    expect(await blobs.has(sha256)).toBe(false);
  });

  test('are not mixed up with what a killed run left, which goes after an hour', async () => {
    await blobs.put(content);
    const [fresh, old] = ['.new-1', '.new-2'].map((name) => join(dirname(pathOf(sha256)), name));
    for (const path of [fresh, old]) writeFileSync(path as string, 'half');
    utimesSync(old as string, 1, 1);
    expect(await names()).toEqual([sha256]);
    expect(readdirSync(dirname(pathOf(sha256))).sort()).toEqual(['.new-1', sha256]);
  });

  test('have no place in a folder that may not be written', async () => {
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(blobs.put(content)).rejects.toMatchObject({ code: 'store.readonly' });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('have no list where there is no folder', async () => {
    expect(await names()).toEqual([]);
  });
});
