/** Families of keys whose strength is measured in bits. */
export type KeyFamily = 'rsa' | 'dsa' | 'ecdsa' | 'eddsa';

/** Expiry dates of signature algorithms. */
export interface AlgorithmTable {
  /** Source of the table. */
  readonly name: string;
  /** ISO 8601 date of this table: the default time of evaluation. */
  readonly published: string;
  /**
   * First day on which a digest no longer proves anything, ISO 8601; null if no such day is known.
   * A digest that is not listed never proves anything.
   */
  readonly digests: Readonly<Record<string, string | null>>;
  /** The same for keys from this many bits up, ascending. Keys below the first prove nothing. */
  readonly keys: Readonly<Record<KeyFamily, readonly (readonly [number, string | null])[]>>;
}

/**
 * The default table: ETSI TS 119 312 v2.1.1, which ends RSA and DSA below 3000 bits with 2026,
 * SHA-224 with 2028, and recommends EdDSA without an end (clauses 5.1, 6.2.1, 8.4). Algorithms no
 * longer listed there have the dates of earlier versions.
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
    // Used only with Ed448, which is based on it: RFC 8419 §3.1.
    shake256: null,
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
      [1900, '2027-01-01'],
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
