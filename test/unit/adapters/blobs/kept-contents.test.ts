import { describe, expect, test } from 'vitest';
import { cacheBlobs } from '../../../../src/adapters/blobs/index.ts';
import type { BlobStore } from '../../../../src/app/ports/index.ts';

/** Blobs by name, and the names that were read. */
function open(options: Partial<Parameters<typeof cacheBlobs>[1]> = {}) {
  const contents = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const below: BlobStore = {
    put: async () => '',
    get: async (sha256) => {
      reads.push(sha256);
      return contents.get(sha256) ?? Promise.reject(new Error('missing'));
    },
    open: () => Promise.reject(new Error('not in these tests')),
    has: async (sha256) => contents.has(sha256),
    sizeOf: async (sha256) => contents.get(sha256)?.length ?? 0,
    remove: async (sha256) => {
      contents.delete(sha256);
      return true;
    },
    list: async function* () {},
  };
  const clock = { nowMs: 1000 };
  const now = () => clock.nowMs;
  const limits = { bytesMax: 20, contentBytesMax: 10, lifeMs: 1000, now, ...options };
  for (const [name, length] of [
    ['a', 8],
    ['b', 8],
    ['c', 8],
    ['large', 11],
  ] as const) {
    contents.set(name, new Uint8Array(length));
  }
  return { blobs: cacheBlobs(below, limits), reads, contents, clock };
}

describe('the cache of blobs', () => {
  test('reads a small blob once, and a large one every time', async () => {
    const { blobs, reads } = open();
    const first = await blobs.get('a');
    expect(await blobs.get('a')).toEqual(first);
    await blobs.get('large');
    await blobs.get('large');
    expect(reads).toEqual(['a', 'large', 'large']);
    expect(await blobs.has('a')).toBe(true);
  });

  test('is not affected by readers that modify their copy', async () => {
    const { blobs, reads } = open();
    const read = [
      () => blobs.get('a'),
      async () => (await blobs.open('a')).whole,
      async () => {
        for await (const piece of (await blobs.open('a')).pieces()) return piece;
        return undefined;
      },
    ];
    for (const each of [...read, ...read]) {
      const given = await each();
      expect(given).toHaveLength(8);
      expect(given?.every((byte) => byte === 0)).toBe(true);
      given?.fill(1);
    }
    expect(reads).toEqual(['a']);
  });

  test('evicts the least recently used', async () => {
    const { blobs, reads } = open();
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await blobs.get(name);
    expect(reads).toEqual(['a', 'b', 'c', 'b']);
  });

  test('drops entries after a time and when the blob is removed', async () => {
    const { blobs, reads, contents, clock } = open();
    await blobs.get('a');
    clock.nowMs += 1000;
    await blobs.get('a');
    expect(reads).toEqual(['a', 'a']);
    // A clock that goes back does not keep an entry forever.
    clock.nowMs -= 5000;
    await blobs.get('a');
    expect(reads).toHaveLength(3);
    await blobs.remove('a');
    expect(await blobs.has('a')).toBe(false);
    await expect(blobs.get('a')).rejects.toThrow('missing');
    expect(contents.has('a')).toBe(false);
  });
});
