import { type ByteSource, createDigest, scanBytes } from '../base/bytes.ts';
import { getOrCompute } from '../base/memo.ts';
import type { DigestAlgorithm } from '../formats/x509/index.ts';

/** Returns the digest of some content; always the same value for the same algorithm. */
export type ContentDigest = (algorithm: DigestAlgorithm) => Uint8Array;

/** The digests of the whole source, which is read once per requested algorithm. */
export function contentDigest(source: ByteSource): ContentDigest {
  const digests = new Map<DigestAlgorithm, Uint8Array>();
  return (algorithm) =>
    getOrCompute(digests, algorithm, () => {
      const hash = createDigest(algorithm);
      scanBytes(source, 0, source.lengthBytes, (piece) => hash.update(piece));
      return new Uint8Array(hash.digest());
    });
}
