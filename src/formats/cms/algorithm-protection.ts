import { equalBytes } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { childrenOf, type DerNode, derOf, oids, readSequence } from '../asn1/index.ts';
import type { SignerInfo } from './signer-info.ts';

/**
 * The algorithm in the attribute CMSAlgorithmProtection that differs from the one of the signer;
 * undefined if both are the same, or without the attribute. Without the check an attacker could
 * replace the algorithm of a signature value.
 *
 *     CMSAlgorithmProtection { digest, [1] signature algorithm?, [2] MAC algorithm? }
 *
 * @spec RFC 6211 §2, §3
 */
export function findOtherAlgorithm(signer: SignerInfo): 'digest' | 'signature' | undefined {
  const values = signer.signedAttributes?.get(oids.algorithmProtection);
  if (values === undefined) return undefined;
  const [value, ...more] = values;
  try {
    if (more.length > 0) return 'signature';
    const [digest, signature, ...others] = readSequence(value, 'CMSAlgorithmProtection');
    const own = readSequence(readSequence(signer.node, 'SignerInfo')[2], 'digest algorithm');
    if (!isSame(readSequence(digest, 'digest algorithm'), own)) return 'digest';
    if (signature?.tag !== 0xa1 || others.length > 0) return 'signature';
    const signed = readSequence(signer.signatureAlgorithmNode, 'signature algorithm');
    return isSame(childrenOf(signature), signed) ? undefined : 'signature';
  } catch (error) {
    if (isInnsigliError(error)) return 'signature';
    throw error;
  }
}

/** Parameters that are NULL are the same as none. */
function isSame(one: readonly DerNode[], other: readonly DerNode[]): boolean {
  const parts = [one, other].map((nodes) => nodes.filter(({ tag }) => tag !== 0x05).map(derOf));
  const [a = [], b = []] = parts;
  return a.length === b.length && a.every((part, at) => equalBytes(part, b[at] as Uint8Array));
}

/** Schemes that sign a digest by an algorithm of their own choice. */
const hashing: ReadonlySet<string> = new Set([
  'rsa-pkcs1',
  'rsa-pss',
  'ecdsa',
  'plain-ecdsa',
  'dsa',
]);

/**
 * The digest algorithm of the signature, if the content was digested with another one; undefined
 * if both are the same, and for schemes that have none to choose. With signed attributes they must
 * be the same: programs take the one or the other for both.
 *
 * @spec RFC 8933 §3.1, RFC 4056 §3
 */
export function findOtherDigest(signer: SignerInfo): string | undefined {
  const { digest, signatureAlgorithm: signed, signedAttributes } = signer;
  if (signed === undefined || signedAttributes === undefined) return undefined;
  return hashing.has(signed.scheme) && signed.digest !== digest ? signed.digest : undefined;
}
