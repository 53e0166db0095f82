import type { DigestAlgorithm } from '../../../formats/x509/index.ts';

/** Digest of the bytes of a reference. */
export interface MadeDigest {
  readonly value: Uint8Array;
  /** Number of the digested bytes. */
  readonly lengthBytes: number;
}

/**
 * Digests of one document by what was digested, so that many references to the same make one
 * canonical form. The oldest are forgotten.
 */
export interface DigestMemo {
  find(algorithm: DigestAlgorithm, identity: string): MadeDigest | undefined;
  keep(algorithm: DigestAlgorithm, identity: string, digest: MadeDigest): void;
}

const MAX_DIGESTS = 256;
/** An identity names what is left out: many signatures make it long. */
const MAX_IDENTITY = 4_096;

/** An empty memo. */
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
