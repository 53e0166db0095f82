import { oids } from '../asn1/index.ts';
import type { SignerInfo } from './signer-info.ts';

/**
 * Types that must be signed, and have one value.
 *
 * @spec RFC 5652 §11.1–§11.3, RFC 6211 §2, RFC 5035 §2, §3
 */
const signedOnce: readonly string[] = [
  oids.contentType,
  oids.messageDigest,
  oids.signingTime,
  oids.algorithmProtection,
  oids.signingCertificate,
  oids.signingCertificateV2,
];

/**
 * The attribute that stands where it must not, or has not exactly one value, and what is wrong with
 * it; undefined if none is. Programs differ on which value of it counts.
 *
 * @spec RFC 5652 §11.1–§11.4, RFC 6211 §2, RFC 5035 §2, §3
 */
export function findAttributeFault(signer: SignerInfo): string | undefined {
  const { signedAttributes, unsignedAttributes } = signer;
  for (const type of signedOnce) {
    if (unsignedAttributes.has(type)) return `attribute ${type} is not signed`;
    const count = signedAttributes?.get(type)?.length ?? 1;
    if (count !== 1) return `attribute ${type}: expected one value, found ${count}`;
  }
  if (signedAttributes?.has(oids.counterSignature) !== true) return undefined;
  return `attribute ${oids.counterSignature} is signed`;
}
