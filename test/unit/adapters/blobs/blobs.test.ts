import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cacheBlobs, openFileBlobs } from '../../../../src/adapters/blobs/index.ts';
import type { BlobStore } from '../../../../src/app/ports/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';

const limits = { bytesMax: 2 ** 20, contentBytesMax: 2 ** 16, lifeMs: 60_000, now: () => 1 };
/** Every implementation of the blob store. */
const stores: readonly (readonly [string, (folder: string) => BlobStore])[] = [
  ['in files', openFileBlobs],
  ['in files, cached in memory', (folder) => cacheBlobs(openFileBlobs(folder), limits)],
];

let folder: string;
let blobs: BlobStore;
beforeEach(() => {
  folder = newTemporaryFolder('blobs');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const content = Buffer.from('%PDF-1.7 …');
const sha256 = createHash('sha256').update(content).digest('hex');
const pathOf = (name: string) => join(folder, 'objects', name.slice(0, 2), name);
const names = async () => {
  const found: string[] = [];
  for await (const each of blobs.list()) found.push(each.sha256);
  return found.sort();
};

describe.each(stores)('the blob store %s', (_, open) => {
  beforeEach(() => {
    blobs = open(folder);
  });

  test('finds blobs by digest', async () => {
    expect(await blobs.has(sha256)).toBe(false);
    expect(await blobs.put(content)).toBe(sha256);
    expect(await blobs.has(sha256)).toBe(true);
    expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
    expect(statSync(pathOf(sha256)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(pathOf(sha256)))).toEqual([sha256]);
  });

  test('accepts an empty blob', async () => {
    const empty = await blobs.put(new Uint8Array(0));
    expect((await blobs.get(empty)).length).toBe(0);
  });

  test('stores equal blobs once and renews their age', async () => {
    await blobs.put(content);
    utimesSync(pathOf(sha256), 1, 1);
    await blobs.put(content);
    expect(await names()).toEqual([sha256]);
    for await (const { modifiedAtMs } of blobs.list()) {
      expect(Date.now() - modifiedAtMs).toBeLessThan(60_000);
    }
  });

  test('accepts concurrent writes of the same blob', async () => {
    const many = Array.from({ length: 30 }, () => openFileBlobs(folder).put(content));
    expect(new Set(await Promise.all(many))).toEqual(new Set([sha256]));
    expect(readdirSync(dirname(pathOf(sha256)))).toEqual([sha256]);
  });

  test('reports a missing blob, and a name that is not a digest, as missing', async () => {
    for (const name of [sha256, '', '../../etc/passwd', sha256.toUpperCase()]) {
      await expect(blobs.get(name)).rejects.toMatchObject({ code: 'blob.missing' });
      expect(await blobs.has(name)).toBe(false);
      await blobs.remove(name);
    }
  });

  test.each([
    ['changed', Buffer.from('%PDF-1.7 ...')],
    ['truncated', content.subarray(0, 4)],
    ['emptied', Buffer.alloc(0)],
  ])('rejects a blob that was %s and repairs it when it is stored again', async (_, bytes) => {
    await blobs.put(content);
    writeFileSync(pathOf(sha256), bytes);
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob.corrupt' });
    await blobs.put(content);
    expect(readFileSync(pathOf(sha256))).toEqual(content);
  });

  test.each([
    ['short', 1000],
    ['long', 1024 * 1024 + 1000],
  ])('reads ranges of a %s blob', async (_, lengthBytes) => {
    const bytes = randomBytes(lengthBytes);
    const opened = await blobs.open(await blobs.put(bytes));
    expect(opened.lengthBytes).toBe(lengthBytes);
    const read = async (offsetBytes: number, length: number) => {
      const pieces: Uint8Array[] = [];
      const span = { offsetBytes, lengthBytes: length };
      for await (const piece of opened.pieces(span)) pieces.push(piece);
      return Buffer.concat(pieces);
    };
    for (const [from, length] of [
      ...([
        [0, 1],
        [10, 500],
        [lengthBytes - 1, 1],
        [lengthBytes - 10, 1000],
      ] as const),
      ...([
        [lengthBytes, 1],
        [0, lengthBytes],
        [3, 200_000],
      ] as const),
    ]) {
      const wanted = bytes.subarray(from, from + length);
      expect((await read(from, length)).equals(wanted)).toBe(true);
    }
  });

  test('rejects a blob changed after it was opened', async () => {
    const bytes = randomBytes(1024 * 1024 + 1);
    const name = await blobs.put(bytes);
    const opened = await blobs.open(name);
    const read = async () => {
      for await (const piece of opened.pieces({ offsetBytes: 0, lengthBytes: 10 })) return piece;
      return undefined;
    };
    expect(await read()).toEqual(Buffer.from(bytes.subarray(0, 10)));
    // The last byte: the range that is read is unchanged.
    writeFileSync(pathOf(name), Buffer.concat([bytes.subarray(0, -1), Buffer.from('x')]));
    await expect(read()).rejects.toMatchObject({ code: 'blob.corrupt' });
  });

  test.each([
    ['overwritten', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -9), Buffer.alloc(9)])],
    ['truncated', (bytes: Buffer) => bytes.subarray(0, 100_000)],
  ])('fails when a blob is %s while it is read', async (_, change) => {
    const bytes = randomBytes(1024 * 1024 + 1);
    const name = await blobs.put(bytes);
    const opened = await blobs.open(name);
    const read: Uint8Array[] = [];
    const readAll = async (span?: { offsetBytes: number; lengthBytes: number }) => {
      for await (const piece of opened.pieces(span)) {
        if (read.push(piece) === 1) writeFileSync(pathOf(name), change(bytes));
      }
    };
    await expect(readAll()).rejects.toMatchObject({ code: 'blob.corrupt' });
    await blobs.put(bytes);
    read.length = 0;
    const span = { offsetBytes: 10, lengthBytes: 1024 * 1024 };
    await expect(readAll(span)).rejects.toMatchObject({ code: 'blob.corrupt' });
    const part = Buffer.concat(read);
    expect(part.equals(bytes.subarray(10, 10 + part.length))).toBe(true);
    await blobs.put(bytes);
    await expect(blobs.get(name)).resolves.toHaveLength(bytes.length);
  });

  test('reads an open blob to its end although it is stored again or removed meanwhile', async () => {
    const bytes = randomBytes(1024 * 1024 + 1);
    const name = await blobs.put(bytes);
    const read: Uint8Array[] = [];
    for await (const piece of (await blobs.open(name)).pieces()) {
      if (read.push(piece) === 1) utimesSync(pathOf(name), 1, 1);
      if (read.length === 3) rmSync(pathOf(name));
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true);
  });

  test('lists and removes blobs', async () => {
    const all = [];
    for (let index = 0; index < 20; index++) all.push(await blobs.put(randomBytes(20)));
    expect(await names()).toEqual([...all].sort());
    await blobs.remove(all[0] as string);
    await blobs.remove(all[0] as string);
    expect(await names()).toEqual(all.slice(1).sort());
  });

  test('keeps a blob stored after the given time', async () => {
    await blobs.put(content);
    const { mtimeMs } = statSync(pathOf(sha256));
    expect(await blobs.remove(sha256, { storedUntilMs: mtimeMs - 1 })).toBe(false);
    expect(await blobs.has(sha256)).toBe(true);
    expect(await blobs.remove(sha256, { storedUntilMs: mtimeMs })).toBe(true);
    expect(await blobs.remove(sha256, { storedUntilMs: 0 })).toBe(true);
    expect(await blobs.has(sha256)).toBe(false);
  });

  test('ignores leftovers of a killed run and deletes them after an hour', async () => {
    await blobs.put(content);
    const [fresh, old] = ['.new-1', '.new-2'].map((name) => join(dirname(pathOf(sha256)), name));
    for (const path of [fresh, old]) writeFileSync(path as string, 'half');
    utimesSync(old as string, 1, 1);
    expect(await names()).toEqual([sha256]);
    expect(readdirSync(dirname(pathOf(sha256))).sort()).toEqual(['.new-1', sha256]);
  });

  test('reports a read-only folder as such', async () => {
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(blobs.put(content)).rejects.toMatchObject({ code: 'store.readonly' });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('lists nothing when its folder is missing', async () => {
    expect(await names()).toEqual([]);
  });

  describe('after a removal that was killed half-way', () => {
    const leave = (name: string) => renameSync(pathOf(sha256), join(dirname(pathOf(sha256)), name));
    beforeEach(async () => {
      await blobs.put(content);
      leave(`.gone-${sha256}-${Date.now()}-1`);
    });

    test('still returns the blob', async () => {
      expect(await blobs.has(sha256)).toBe(true);
      expect(await blobs.sizeOf(sha256)).toBe(content.length);
      expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
    });

    test('still verifies the blob', async () => {
      const [name = ''] = readdirSync(dirname(pathOf(sha256)));
      writeFileSync(join(dirname(pathOf(sha256)), name), 'changed');
      await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob.corrupt' });
    });

    test('removes the blob only when no other removal can restore it', async () => {
      await blobs.put(content);
      expect(await blobs.remove(sha256)).toBe(false);
      expect(readdirSync(dirname(pathOf(sha256)))).toHaveLength(1);
    });

    test('removes both the leftover and a copy stored since when an hour has passed', async () => {
      await blobs.put(content);
      leave(`.gone-${sha256}-1-1`);
      for (const name of readdirSync(dirname(pathOf(sha256)))) {
        if (!name.endsWith('-1-1')) rmSync(join(dirname(pathOf(sha256)), name));
      }
      await blobs.put(content);
      expect(await blobs.remove(sha256)).toBe(true);
      expect(readdirSync(dirname(pathOf(sha256)))).toEqual([]);
    });

    test('finds no other blob in the leftover', async () => {
      const other = `${sha256.slice(0, 63)}${sha256.endsWith('0') ? '1' : '0'}`;
      await expect(blobs.get(other)).rejects.toMatchObject({ code: 'blob.missing' });
      expect(await blobs.has(other)).toBe(false);
      await expect(blobs.sizeOf(other)).rejects.toMatchObject({ code: 'blob.missing' });
    });
  });

  describe('on a host whose clock is ahead', () => {
    const HOUR = 3_600_000;
    const ahead = () => {
      const nowMs = Date.now();
      vi.spyOn(Date, 'now').mockReturnValue(nowMs + 48 * HOUR);
    };

    test('measures age by the clock of the disk', async () => {
      await blobs.put(content);
      ahead();
      expect(await blobs.remove(sha256, { ageMs: HOUR })).toBe(false);
      expect(await blobs.has(sha256)).toBe(true);
      const twoHoursAgo = statSync(pathOf(sha256)).mtimeMs - 2 * HOUR;
      utimesSync(pathOf(sha256), twoHoursAgo / 1000, twoHoursAgo / 1000);
      const terms = { ageMs: HOUR, storedUntilMs: twoHoursAgo - 1000 };
      expect(await blobs.remove(sha256, terms)).toBe(false);
      expect(await blobs.remove(sha256, { ageMs: HOUR })).toBe(true);
      expect(readdirSync(dirname(pathOf(sha256)))).toEqual([]);
    });

    test('sets the time of the disk when a blob is stored again', async () => {
      await blobs.put(content);
      const { mtimeMs } = statSync(pathOf(sha256));
      utimesSync(pathOf(sha256), 1, 1);
      ahead();
      await blobs.put(content);
      expect(Math.abs(statSync(pathOf(sha256)).mtimeMs - mtimeMs)).toBeLessThan(HOUR);
    });

    test('keeps files that others are writing or removing', async () => {
      await blobs.put(content);
      const place = dirname(pathOf(sha256));
      const files = ['.new-1', `.gone-${'0'.repeat(64)}-${Date.now()}-1`];
      for (const name of files) writeFileSync(join(place, name), 'half');
      writeFileSync(join(folder, 'objects', '.new-2'), 'half');
      ahead();
      expect(await names()).toEqual([sha256]);
      expect(readdirSync(place).sort()).toEqual([...files, sha256].sort());
      expect(readdirSync(join(folder, 'objects'))).toContain('.new-2');
    });
  });
});
