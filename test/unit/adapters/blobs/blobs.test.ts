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
/** Everything that is a store of contents. */
const stores: readonly (readonly [string, (folder: string) => BlobStore])[] = [
  ['in files', openFileBlobs],
  ['in files, kept in memory', (folder) => cacheBlobs(openFileBlobs(folder), limits)],
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

describe.each(stores)('contents of documents %s', (_, open) => {
  beforeEach(() => {
    blobs = open(folder);
  });

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
  ])('that were %s are refused, and mended when they are put again', async (_, bytes) => {
    await blobs.put(content);
    writeFileSync(pathOf(sha256), bytes);
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob.corrupt' });
    await blobs.put(content);
    expect(readFileSync(pathOf(sha256))).toEqual(content);
  });

  test.each([
    ['short', 1000],
    ['long', 1024 * 1024 + 1000],
  ])('that are %s can be read in parts', async (_, lengthBytes) => {
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

  test('that are changed after they were opened are not read', async () => {
    const bytes = randomBytes(1024 * 1024 + 1);
    const name = await blobs.put(bytes);
    const opened = await blobs.open(name);
    const read = async () => {
      for await (const piece of opened.pieces({ offsetBytes: 0, lengthBytes: 10 })) return piece;
      return undefined;
    };
    expect(await read()).toEqual(Buffer.from(bytes.subarray(0, 10)));
    // The last byte: the part that is read is as it was.
    writeFileSync(pathOf(name), Buffer.concat([bytes.subarray(0, -1), Buffer.from('x')]));
    await expect(read()).rejects.toMatchObject({ code: 'blob.corrupt' });
  });

  test.each([
    ['written over', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -9), Buffer.alloc(9)])],
    ['cut', (bytes: Buffer) => bytes.subarray(0, 100_000)],
  ])('that are %s while they are read end with an error', async (_, change) => {
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

  test('that are put again, or removed, while they are read are read to their end', async () => {
    const bytes = randomBytes(1024 * 1024 + 1);
    const name = await blobs.put(bytes);
    const read: Uint8Array[] = [];
    for await (const piece of (await blobs.open(name)).pieces()) {
      if (read.push(piece) === 1) utimesSync(pathOf(name), 1, 1);
      if (read.length === 3) rmSync(pathOf(name));
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true);
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
    expect(await blobs.remove(sha256, { storedUntilMs: mtimeMs - 1 })).toBe(false);
    expect(await blobs.has(sha256)).toBe(true);
    expect(await blobs.remove(sha256, { storedUntilMs: mtimeMs })).toBe(true);
    expect(await blobs.remove(sha256, { storedUntilMs: 0 })).toBe(true);
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

  describe('whose removal was killed half-way', () => {
    const leave = (name: string) => renameSync(pathOf(sha256), join(dirname(pathOf(sha256)), name));
    beforeEach(async () => {
      await blobs.put(content);
      leave(`.gone-${sha256}-${Date.now()}-1`);
    });

    test('are still there for who needs them', async () => {
      expect(await blobs.has(sha256)).toBe(true);
      expect(await blobs.sizeOf(sha256)).toBe(content.length);
      expect(Buffer.from(await blobs.get(sha256))).toEqual(content);
    });

    test('are verified as ever', async () => {
      const [name = ''] = readdirSync(dirname(pathOf(sha256)));
      writeFileSync(join(dirname(pathOf(sha256)), name), 'changed');
      await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob.corrupt' });
    });

    test('are removed only when no other removal may put them back', async () => {
      await blobs.put(content);
      expect(await blobs.remove(sha256)).toBe(false);
      expect(readdirSync(dirname(pathOf(sha256)))).toHaveLength(1);
    });

    test('are removed with what was stored again, when an hour has passed', async () => {
      await blobs.put(content);
      leave(`.gone-${sha256}-1-1`);
      for (const name of readdirSync(dirname(pathOf(sha256)))) {
        if (!name.endsWith('-1-1')) rmSync(join(dirname(pathOf(sha256)), name));
      }
      await blobs.put(content);
      expect(await blobs.remove(sha256)).toBe(true);
      expect(readdirSync(dirname(pathOf(sha256)))).toEqual([]);
    });

    test('belong to no other content', async () => {
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

    test('are as old as the disk says', async () => {
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

    test('get the time of the disk when they are put again', async () => {
      await blobs.put(content);
      const { mtimeMs } = statSync(pathOf(sha256));
      utimesSync(pathOf(sha256), 1, 1);
      ahead();
      await blobs.put(content);
      expect(Math.abs(statSync(pathOf(sha256)).mtimeMs - mtimeMs)).toBeLessThan(HOUR);
    });

    test('stay while others write or remove them', async () => {
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
