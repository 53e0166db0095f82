import type { BlobStore } from '../../app/ports/index.ts';
import { memoryContent } from './file-blobs.ts';

/** Size and lifetime of the cache. */
export interface BlobCacheOptions {
  /** Limit for all cached blobs together. */
  readonly bytesMax: number;
  /** Larger blobs are not cached. */
  readonly contentBytesMax: number;
  readonly lifeMs: number;
  /** Epoch milliseconds. */
  now(): number;
}

interface Kept {
  readonly content: Uint8Array;
  readonly sinceMs: number;
}

/**
 * Wraps `blobs` with an in-memory cache of small blobs, which drops the least recently used first.
 * Each blob was verified against its digest when it was read, and each caller gets a copy that it
 * may modify. Blobs are named by their digest, so a cached blob is never stale.
 */
export function cacheBlobs(
  blobs: BlobStore,
  { bytesMax, contentBytesMax, lifeMs, now }: BlobCacheOptions,
): BlobStore {
  // In order of use, most recently used last.
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (sha256: string) => {
    bytes -= kept.get(sha256)?.content.length ?? 0;
    kept.delete(sha256);
  };
  const find = (sha256: string): Uint8Array | undefined => {
    const found = kept.get(sha256);
    if (found === undefined) return undefined;
    kept.delete(sha256);
    kept.set(sha256, found);
    const ageMs = now() - found.sinceMs;
    if (ageMs >= 0 && ageMs < lifeMs) return found.content;
    drop(sha256);
    return undefined;
  };
  const get = async (sha256: string): Promise<Uint8Array> => {
    const known = find(sha256);
    if (known !== undefined) return Buffer.from(known);
    const content = await blobs.get(sha256);
    if (content.length > contentBytesMax) return content;
    drop(sha256);
    kept.set(sha256, { content, sinceMs: now() });
    bytes += content.length;
    for (const [oldest] of kept) {
      if (bytes <= bytesMax) break;
      drop(oldest);
    }
    return Buffer.from(content);
  };
  return {
    ...blobs,
    get,
    open: async (sha256) => {
      const isSmall = kept.has(sha256) || (await blobs.sizeOf(sha256)) <= contentBytesMax;
      return isSmall ? memoryContent(await get(sha256)) : blobs.open(sha256);
    },
    has: async (sha256) => find(sha256) !== undefined || blobs.has(sha256),
    async remove(sha256, terms) {
      const isGone = await blobs.remove(sha256, terms);
      if (isGone) drop(sha256);
      return isGone;
    },
  };
}
