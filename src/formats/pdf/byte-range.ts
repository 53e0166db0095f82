import { createHash, type Hash } from 'node:crypto';
import type { ByteSource } from '../../base/bytes.ts';
import type { DigestAlgorithm } from '../x509/index.ts';

const CHUNK_BYTES = 1 << 20;

/** A hash that has taken the first `lengthBytes` of a source. */
interface Prefix {
  readonly hash: Hash;
  readonly lengthBytes: number;
}

const prefixes = new WeakMap<ByteSource, Map<DigestAlgorithm, Prefix>>();

/**
 * The digest over the ranges `[start length start length …]` of a source.
 *
 * The state of the hash at the end of the first range is kept for the source, or for the one that
 * it begins with: sealing, checking the seal and stamping it, or verifying many signatures of one
 * file, take each byte of it once.
 *
 * @spec ISO 32000-1 §12.8.1
 */
export function digestRanges(
  source: ByteSource,
  byteRange: readonly number[],
  algorithm: DigestAlgorithm,
): Uint8Array {
  let hash: Hash | undefined;
  for (let i = 0; i + 1 < byteRange.length; i += 2) {
    const start = byteRange[i] as number;
    const end = start + (byteRange[i + 1] as number);
    if (i === 0 && start === 0) hash = hashPrefix(source, end, algorithm);
    else {
      hash ??= createHash(algorithm);
      take(hash, source, start, end);
    }
  }
  return (hash ?? createHash(algorithm)).digest();
}

function hashPrefix(source: ByteSource, end: number, algorithm: DigestAlgorithm): Hash {
  const root = rootOf(source);
  let kept = prefixes.get(root);
  if (kept === undefined) {
    kept = new Map();
    prefixes.set(root, kept);
  }
  const known = kept.get(algorithm);
  const usable = known !== undefined && known.lengthBytes <= end ? known : undefined;
  const hash = usable === undefined ? createHash(algorithm) : usable.hash.copy();
  const common = Math.min(end, root.lengthBytes);
  take(hash, root, usable?.lengthBytes ?? 0, common);
  if (known === undefined || known.lengthBytes < common) {
    kept.set(algorithm, { hash: hash.copy(), lengthBytes: common });
  }
  take(hash, source, common, end);
  return hash;
}

/** The first of all sources that were joined to this one. */
function rootOf(source: ByteSource): ByteSource {
  let root = source;
  while (root.head !== undefined) root = root.head;
  return root;
}

function take(hash: Hash, source: ByteSource, start: number, end: number): void {
  for (let offset = start; offset < end; offset += CHUNK_BYTES) {
    hash.update(source.slice(offset, Math.min(offset + CHUNK_BYTES, end)));
  }
}
