import { equalBytes } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { childrenOf, type DerNode, derOf, oids, readSequence } from '../asn1/index.ts';
import type { SignerInfo } from './signer-info.ts';

/**
 * The algorithm in the attribute CMSAlgorithmProtection that differs from that of the SignerInfo;
 * undefined if both are equal or the attribute is missing. Without this check an attacker could
 * substitute the algorithm of a signature value.
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

/** NULL parameters equal absent ones. */
function isSame(one: readonly DerNode[], other: readonly DerNode[]): boolean {
  const parts = [one, other].map((nodes) => nodes.filter(({ tag }) => tag !== 0x05).map(derOf));
  const [a = [], b = []] = parts;
  return a.length === b.length && a.every((part, at) => equalBytes(part, b[at] as Uint8Array));
}

/** Schemes whose digest algorithm can be chosen. */
const hashing: ReadonlySet<string> = new Set([
  'rsa-pkcs1',
  'rsa-pss',
  'ecdsa',
  'plain-ecdsa',
  'dsa',
]);

/**
 * The digest algorithm of the signature, if it differs from that of the content; undefined if both
 * are equal or the scheme offers no choice. With signed attributes they must be equal, because some
 * programs use only one of them for both.
 *
 * @spec RFC 8933 §3.1, RFC 4056 §3
 */
export function findOtherDigest(signer: SignerInfo): string | undefined {
  const { digest, signatureAlgorithm: signed, signedAttributes } = signer;
  if (signed === undefined || signedAttributes === undefined) return undefined;
  return hashing.has(signed.scheme) && signed.digest !== digest ? signed.digest : undefined;
}
