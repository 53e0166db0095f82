/** Families of keys whose strength is a number of bits. */
export type KeyFamily = 'rsa' | 'dsa' | 'ecdsa' | 'eddsa';

/** How long the algorithms of signatures prove something. */
export interface AlgorithmTable {
  /** What it is taken from. */
  readonly name: string;
  /** ISO 8601 date of this table: what is asked without a time is asked for it. */
  readonly published: string;
  /**
   * First day on which a digest proves nothing any more, ISO 8601; null when there is no such day
   * yet. A digest that is not here never proves anything.
   */
  readonly digests: Readonly<Record<string, string | null>>;
  /**
   * The same for keys of at least so many bits, in ascending order. Shorter ones than the first
   * never prove anything.
   */
  readonly keys: Readonly<Record<KeyFamily, readonly (readonly [number, string | null])[]>>;
}

/**
 * The table that counts unless another one is given: the dates of ETSI TS 119 312 as validators
 * publish them, and for RSA below 3000 bits the end of 2026 of its version 2.1.1. EdDSA is not in
 * it; its keys count as long as those of ECDSA.
 */
export const algorithmTable: AlgorithmTable = {
  name: 'ETSI TS 119 312',
  published: '2026-06-01',
  digests: {
    md5: '2004-08-01',
    ripemd160: '2014-08-01',
    sha1: '2012-08-01',
    sha224: '2029-01-01',
    sha256: null,
    sha384: null,
    sha512: null,
    'sha3-256': null,
    'sha3-384': null,
    'sha3-512': null,
  },
  keys: {
    rsa: [
      [786, '2010-08-01'],
      [1024, '2019-10-01'],
      [1900, '2027-01-01'],
      [3000, null],
    ],
    dsa: [
      [1024, '2015-12-01'],
      [1900, '2029-01-01'],
      [3000, null],
    ],
    ecdsa: [
      [160, '2012-08-01'],
      [224, '2021-10-01'],
      [256, null],
    ],
    eddsa: [[256, null]],
  },
};
