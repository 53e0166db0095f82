import { InnsigliError } from '../../base/errors.ts';
import {
  contentOf,
  type DerNode,
  der,
  oids,
  readDer,
  readOid,
  readSequence,
  readSmallInteger,
} from '../asn1/index.ts';
import { unsupportedAlgorithms } from './algorithm-names.table.ts';

/** Digest algorithms by their names in node:crypto. */
export type DigestAlgorithm =
  | 'md5'
  | 'ripemd160'
  | 'sha1'
  | 'sha224'
  | 'sha256'
  | 'sha384'
  | 'sha512'
  | 'sha3-224'
  | 'sha3-256'
  | 'sha3-384'
  | 'sha3-512'
  /** With 64 bytes of output, as used with Ed448. @spec RFC 8419 §3.1, RFC 8702 §3.1 */
  | 'shake256';

/** Length of each digest in bytes. */
export const digestLengths: Readonly<Record<DigestAlgorithm, number>> = {
  md5: 16,
  ripemd160: 20,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha3-224': 28,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
  shake256: 64,
};

/** A signature algorithm with everything that verification needs other than the key. */
export interface SignatureAlgorithm {
  readonly scheme:
    | 'rsa-pkcs1'
    | 'rsa-pss'
    | 'ecdsa'
    /** ECDSA with a signature value of concatenated r and s. @spec BSI TR-03111 §5.2.1 */
    | 'plain-ecdsa'
    | 'dsa'
    | 'ed25519'
    | 'ed448';
  /** Digest of the data. Ed25519 and Ed448 hash the data themselves: it is then that of the CMS. */
  readonly digest: DigestAlgorithm;
  /** Salt length, RSA-PSS only. */
  readonly saltLengthBytes?: number;
}

const digestOids: Record<DigestAlgorithm, string> = {
  md5: oids.md5,
  ripemd160: oids.ripemd160,
  sha1: oids.sha1,
  sha224: oids.sha224,
  sha256: oids.sha256,
  sha384: oids.sha384,
  sha512: oids.sha512,
  'sha3-224': oids.sha3_224,
  'sha3-256': oids.sha3_256,
  'sha3-384': oids.sha3_384,
  'sha3-512': oids.sha3_512,
  shake256: oids.shake256,
};
const digestByOid = new Map(
  Object.entries(digestOids).map(([name, oid]) => [oid, name as DigestAlgorithm]),
);

/**
 * Signature OIDs that imply both scheme and digest.
 *
 * @spec RFC 8017 A.2.4, RFC 5758 §3.1, §3.2; RFC 3279 §2.2; BSI TR-03111 §5.2.1
 */
const combined: readonly (readonly [string, SignatureAlgorithm['scheme'], DigestAlgorithm])[] = [
  ['1.2.840.113549.1.1.4', 'rsa-pkcs1', 'md5'],
  ['1.3.36.3.3.1.2', 'rsa-pkcs1', 'ripemd160'],
  ['1.2.840.113549.1.1.5', 'rsa-pkcs1', 'sha1'],
  ['1.2.840.113549.1.1.14', 'rsa-pkcs1', 'sha224'],
  ['1.2.840.113549.1.1.11', 'rsa-pkcs1', 'sha256'],
  ['1.2.840.113549.1.1.12', 'rsa-pkcs1', 'sha384'],
  ['1.2.840.113549.1.1.13', 'rsa-pkcs1', 'sha512'],
  ['2.16.840.1.101.3.4.3.13', 'rsa-pkcs1', 'sha3-224'],
  ['2.16.840.1.101.3.4.3.14', 'rsa-pkcs1', 'sha3-256'],
  ['2.16.840.1.101.3.4.3.15', 'rsa-pkcs1', 'sha3-384'],
  ['2.16.840.1.101.3.4.3.16', 'rsa-pkcs1', 'sha3-512'],
  ['1.2.840.10045.4.1', 'ecdsa', 'sha1'],
  ['1.2.840.10045.4.3.1', 'ecdsa', 'sha224'],
  ['1.2.840.10045.4.3.2', 'ecdsa', 'sha256'],
  ['1.2.840.10045.4.3.3', 'ecdsa', 'sha384'],
  ['1.2.840.10045.4.3.4', 'ecdsa', 'sha512'],
  ['2.16.840.1.101.3.4.3.9', 'ecdsa', 'sha3-224'],
  ['2.16.840.1.101.3.4.3.10', 'ecdsa', 'sha3-256'],
  ['2.16.840.1.101.3.4.3.11', 'ecdsa', 'sha3-384'],
  ['2.16.840.1.101.3.4.3.12', 'ecdsa', 'sha3-512'],
  ['0.4.0.127.0.7.1.1.4.1.1', 'plain-ecdsa', 'sha1'],
  ['0.4.0.127.0.7.1.1.4.1.2', 'plain-ecdsa', 'sha224'],
  ['0.4.0.127.0.7.1.1.4.1.3', 'plain-ecdsa', 'sha256'],
  ['0.4.0.127.0.7.1.1.4.1.4', 'plain-ecdsa', 'sha384'],
  ['0.4.0.127.0.7.1.1.4.1.5', 'plain-ecdsa', 'sha512'],
  ['0.4.0.127.0.7.1.1.4.1.6', 'plain-ecdsa', 'ripemd160'],
  ['1.2.840.10040.4.3', 'dsa', 'sha1'],
  ['2.16.840.1.101.3.4.3.1', 'dsa', 'sha224'],
  ['2.16.840.1.101.3.4.3.2', 'dsa', 'sha256'],
  ['2.16.840.1.101.3.4.3.3', 'dsa', 'sha384'],
  ['2.16.840.1.101.3.4.3.4', 'dsa', 'sha512'],
  ['2.16.840.1.101.3.4.3.5', 'dsa', 'sha3-224'],
  ['2.16.840.1.101.3.4.3.6', 'dsa', 'sha3-256'],
  ['2.16.840.1.101.3.4.3.7', 'dsa', 'sha3-384'],
  ['2.16.840.1.101.3.4.3.8', 'dsa', 'sha3-512'],
];
const combinedByOid = new Map(combined.map(([oid, scheme, digest]) => [oid, { scheme, digest }]));

/** A human-readable object identifier: the name of the algorithm if it is known. */
export function describeAlgorithm(oid: string): string {
  const name = unsupportedAlgorithms[oid];
  return name === undefined ? oid : `${name} (${oid})`;
}

function unsupported(what: string): InnsigliError {
  const message = `unsupported algorithm ${describeAlgorithm(what)}`;
  return new InnsigliError('algorithm.unsupported', message, {
    hint: 'use RSA, RSA-PSS, ECDSA or Ed25519 with SHA-256, SHA-384 or SHA-512',
  });
}

/**
 * The AlgorithmIdentifier of a digest: without parameters, except that SHAKE256 states its length
 * in bits.
 *
 * @spec RFC 5754 §2, RFC 8419 §3.1
 */
export function serializeDigestAlgorithm(digest: DigestAlgorithm): Uint8Array {
  if (digest === 'shake256') {
    return der.sequence(der.oid(oids.shake256Len), der.smallInteger(8 * digestLengths.shake256));
  }
  return der.sequence(der.oid(digestOids[digest]));
}

/** An algorithm and its parameters, no more, as in other programs. @spec RFC 5280 §4.1.1.2 */
function readAlgorithm(node: DerNode | undefined, what: string): readonly DerNode[] {
  const parts = readSequence(node, what);
  if (parts.length > 2) throw unsupported(`${what} with more than its parameters`);
  return parts;
}

/** Parses the AlgorithmIdentifier of a digest. @throws algorithm.unsupported if it is unknown */
export function parseDigestAlgorithm(node: DerNode | undefined): DigestAlgorithm {
  const [identifier, parameters] = readAlgorithm(node, 'digest algorithm');
  const name = readOid(identifier);
  const digest = name === oids.shake256Len ? findShake(parameters) : digestByOid.get(name);
  if (digest === undefined) throw unsupported(name);
  return digest;
}

/** SHAKE256 with its output length in bits as parameter. */
function findShake(bits: DerNode | undefined): DigestAlgorithm | undefined {
  if (bits === undefined || readSmallInteger(bits, 'length of SHAKE256') !== 512) return undefined;
  return 'shake256';
}

/**
 * The AlgorithmIdentifier of a signature.
 *
 * @throws algorithm.unsupported for a combination without an identifier
 * @spec RFC 4055 §3.1 (PSS), RFC 5754 §3, RFC 8419 §2
 */
export function serializeSignatureAlgorithm(algorithm: SignatureAlgorithm): Uint8Array {
  if (algorithm.scheme === 'ed25519') return der.sequence(der.oid(oids.ed25519));
  if (algorithm.scheme === 'ed448') return der.sequence(der.oid(oids.ed448));
  if (algorithm.scheme === 'rsa-pss') {
    const digest = serializeDigestAlgorithm(algorithm.digest);
    const salt = algorithm.saltLengthBytes ?? digestLengths[algorithm.digest];
    return der.sequence(
      der.oid(oids.rsassaPss),
      der.sequence(
        der.explicit(0, digest),
        der.explicit(1, der.sequence(der.oid(oids.mgf1), digest)),
        der.explicit(2, der.smallInteger(salt)),
      ),
    );
  }
  for (const [oid, scheme, digest] of combined) {
    if (scheme === algorithm.scheme && digest === algorithm.digest) {
      return scheme === 'rsa-pkcs1'
        ? der.sequence(der.oid(oid), der.nil())
        : der.sequence(der.oid(oid));
    }
  }
  throw unsupported(`${algorithm.scheme} with ${algorithm.digest}`);
}

/**
 * Parses the AlgorithmIdentifier of a signature. `digest` is used if the identifier does not imply
 * one: `rsaEncryption`, `id-ecPublicKey` and `id-dsa` as used by CMS signers, and EdDSA.
 *
 * @throws algorithm.unsupported if it is unknown, or PSS mixes digests
 */
export function parseSignatureAlgorithm(
  node: DerNode | undefined,
  digest?: DigestAlgorithm,
): SignatureAlgorithm {
  const [identifier, parameters] = readAlgorithm(node, 'signature algorithm');
  const name = readOid(identifier);
  const known = combinedByOid.get(name);
  if (known !== undefined) return known;
  if (name === oids.rsassaPss) return parsePss(parameters);
  if (name === oids.ed25519) return { scheme: 'ed25519', digest: digest ?? 'sha512' };
  if (name === oids.ed448) return { scheme: 'ed448', digest: digest ?? 'sha512' };
  if (digest !== undefined) {
    if (name === oids.rsaEncryption) return { scheme: 'rsa-pkcs1', digest };
    if (name === oids.ecPublicKey) return { scheme: 'ecdsa', digest };
    if (name === oids.dsaPublicKey) return { scheme: 'dsa', digest };
  }
  throw unsupported(name);
}

/** Whether a non-negative integer has an extra leading zero, which programs reject. X.690 §8.3.2 */
function isPadded(integer: DerNode): boolean {
  const [first, second] = contentOf(integer);
  return first === 0 && second !== undefined && second < 0x80;
}

/** RSASSA-PSS-params: all fields have defaults (SHA-1, MGF1 with SHA-1, 20). RFC 4055 §3.1 */
function parsePss(parameters: DerNode | undefined): SignatureAlgorithm {
  let digest: DigestAlgorithm = 'sha1';
  let maskDigest: DigestAlgorithm = 'sha1';
  let saltLengthBytes = 20;
  let lastTag = 0;
  for (const field of parameters === undefined ? [] : readSequence(parameters, 'PSS parameters')) {
    const content = field.bytes.subarray(field.contentStart, field.contentEnd);
    const inner = readDer(content);
    if (field.tag <= lastTag) throw unsupported('PSS with parameters out of order');
    lastTag = field.tag;
    if (field.tag === 0xa0) digest = parseDigestAlgorithm(inner);
    else if (field.tag === 0xa1) {
      const [generator, hash] = readAlgorithm(inner, 'mask generation');
      if (readOid(generator) !== oids.mgf1) throw unsupported('mask generation');
      maskDigest = parseDigestAlgorithm(hash);
    } else if (field.tag === 0xa2) {
      saltLengthBytes = readSmallInteger(inner, 'salt length');
      // In OpenSSL, −1 means the length of the digest and −2 any length.
      if (saltLengthBytes < 0 || isPadded(inner))
        throw unsupported('PSS with a negative or padded salt length');
    } else if (field.tag !== 0xa3 || readSmallInteger(inner, 'trailer field') !== 1) {
      throw unsupported('PSS with a trailer field or parameter that is not known');
    }
  }
  if (maskDigest !== digest) throw unsupported(`PSS with ${digest} and MGF1 with ${maskDigest}`);
  return { scheme: 'rsa-pss', digest, saltLengthBytes };
}
