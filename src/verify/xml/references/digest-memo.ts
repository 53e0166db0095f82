import type { DigestAlgorithm } from '../../../formats/x509/index.ts';

/** Digest of the bytes of a reference. */
export interface MadeDigest {
  readonly value: Uint8Array;
  /** Number of digested bytes. */
  readonly lengthBytes: number;
}

/**
 * Cache of the digests of one document by their input, so that many references to the same data
 * need one canonical form. The oldest entries are evicted.
 */
export interface DigestMemo {
  find(algorithm: DigestAlgorithm, identity: string): MadeDigest | undefined;
  keep(algorithm: DigestAlgorithm, identity: string, digest: MadeDigest): void;
}

const MAX_DIGESTS = 256;
/** Maximum length of an identity, whose exclusions grow with the number of signatures. */
const MAX_IDENTITY = 4_096;

/** Creates an empty cache. */
export function createDigestMemo(): DigestMemo {
  const made = new Map<string, MadeDigest>();
  const memoKey = (algorithm: DigestAlgorithm, identity: string) => `${algorithm}\n${identity}`;
  return {
    find: (algorithm, identity) => made.get(memoKey(algorithm, identity)),
    keep(algorithm, identity, digest) {
      if (identity.length > MAX_IDENTITY) return;
      made.set(memoKey(algorithm, identity), digest);
      const [oldest] = made.keys();
      if (made.size > MAX_DIGESTS && oldest !== undefined) made.delete(oldest);
    },
  };
}
