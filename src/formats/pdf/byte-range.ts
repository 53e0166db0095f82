import type { Hash } from 'node:crypto';
import { type ByteSource, createDigest, scanBytes } from '../../base/bytes.ts';
import { createMemo, getOrCompute } from '../../base/memo.ts';
import type { DigestAlgorithm } from '../x509/index.ts';

/** A hash state after the first `lengthBytes` of a source. */
interface Prefix {
  readonly hash: Hash;
  readonly lengthBytes: number;
}

/** Number of prefixes cached per source: the starts of signatures, and its end. */
const KEPT_PREFIXES = 64;
const prefixes = createMemo<ByteSource, Map<DigestAlgorithm, Prefix[]>>();

/**
 * The digest over the ranges `[start length start length …]` of a source.
 *
 * Hash states at the ends of first ranges are cached for the source, or for the source that is its
 * prefix. Sealing, checking the seal and time-stamping it, or verifying many signatures of one
 * file, thus hash each of its bytes once.
 *
 * @spec ISO 32000-1 §12.8.1
 */
export function digestRanges(
  source: ByteSource,
  byteRange: readonly number[],
  algorithm: DigestAlgorithm,
): Uint8Array {
  const { bytes, head, lengthBytes } = source;
  if (bytes !== undefined && head === undefined && lengthBytes <= SHORT_BYTES) {
    return digestOnce(bytes, byteRange, algorithm);
  }
  let hash: Hash | undefined;
  for (let i = 0; i + 1 < byteRange.length; i += 2) {
    const start = byteRange[i] as number;
    const end = start + (byteRange[i + 1] as number);
    if (i === 0 && start === 0) hash = hashPrefix(source, end, algorithm);
    else {
      hash ??= createDigest(algorithm);
      take(hash, source, start, end);
    }
  }
  return (hash ?? createDigest(algorithm)).digest();
}

/** A document of this size usually has one signature, so a cached state would not be reused. */
const SHORT_BYTES = 1 << 15;

function digestOnce(
  bytes: Uint8Array,
  byteRange: readonly number[],
  algorithm: DigestAlgorithm,
): Uint8Array {
  const hash = createDigest(algorithm);
  for (let i = 0; i + 1 < byteRange.length; i += 2) {
    const start = byteRange[i] as number;
    hash.update(bytes.subarray(start, start + (byteRange[i + 1] as number)));
  }
  return hash.digest();
}

function hashPrefix(source: ByteSource, end: number, algorithm: DigestAlgorithm): Hash {
  const root = rootOf(source);
  const common = Math.min(end, root.lengthBytes);
  const kept = keptPrefixes(root, algorithm);
  let longest: Prefix | undefined;
  for (const prefix of kept) {
    if (prefix.lengthBytes <= common && prefix.lengthBytes > (longest?.lengthBytes ?? 0)) {
      longest = prefix;
    }
  }
  const hash = createDigest(algorithm, longest?.hash);
  const from = longest?.lengthBytes ?? 0;
  take(hash, root, from, common);
  if (common > from) {
    if (kept.length >= KEPT_PREFIXES) kept.shift();
    kept.push({ hash: createDigest(algorithm, hash), lengthBytes: common });
  }
  take(hash, source, common, end);
  return hash;
}

function keptPrefixes(root: ByteSource, algorithm: DigestAlgorithm): Prefix[] {
  const algorithms = getOrCompute(prefixes, root, () => new Map());
  return getOrCompute(algorithms, algorithm, () => []);
}

/** The first of the concatenated sources. */
function rootOf(source: ByteSource): ByteSource {
  let root = source;
  while (root.head !== undefined) root = root.head;
  return root;
}

function take(hash: Hash, source: ByteSource, start: number, end: number): void {
  if (source.bytes !== undefined) {
    if (start < end) hash.update(source.bytes.subarray(start, end));
    return;
  }
  scanBytes(source, start, end, (piece) => {
    hash.update(piece);
  });
}
