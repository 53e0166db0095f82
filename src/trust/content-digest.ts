import { type ByteSource, createDigest, scanBytes } from '../base/bytes.ts';
import { getOrCompute } from '../base/memo.ts';
import type { DigestAlgorithm } from '../formats/x509/index.ts';

/** Gives the digest of some content; the same value for the same algorithm. */
export type ContentDigest = (algorithm: DigestAlgorithm) => Uint8Array;

/** The digests of everything in the source; it is read once for each algorithm asked for. */
export function contentDigest(source: ByteSource): ContentDigest {
  const digests = new Map<DigestAlgorithm, Uint8Array>();
  return (algorithm) =>
    getOrCompute(digests, algorithm, () => {
      const hash = createDigest(algorithm);
      scanBytes(source, 0, source.lengthBytes, (piece) => hash.update(piece));
      return new Uint8Array(hash.digest());
    });
}
