import { oids } from '../asn1/index.ts';
import type { SignerInfo } from './signer-info.ts';

/** Types that must be signed and have one value. @spec RFC 5652 §11.1–§11.3, RFC 6211 §2 */
const signedOnce: readonly string[] = [
  oids.contentType,
  oids.messageDigest,
  oids.signingTime,
  oids.algorithmProtection,
];

/** Attributes that bind the certificate; the same rules apply. @spec RFC 5035 §2, §3 */
const bindings: readonly string[] = [oids.signingCertificate, oids.signingCertificateV2];

/**
 * Describes the attribute that must not appear where it does, or does not have exactly one value;
 * undefined if there is none. Programs differ in the value they use.
 *
 * @spec RFC 5652 §11.1–§11.4, RFC 6211 §2
 */
export function findAttributeFault(signer: SignerInfo): string | undefined {
  const fault = findMisplaced(signer, signedOnce);
  if (fault !== undefined) return fault;
  if (signer.signedAttributes?.has(oids.counterSignature) !== true) return undefined;
  return `attribute ${oids.counterSignature} is signed`;
}

/**
 * Like {@link findAttributeFault}, for signing-certificate and signing-certificate-v2. The
 * certificate can be verified nonetheless, and anyone can add an unsigned attribute, so this fault
 * does not invalidate the signature.
 *
 * @spec RFC 5035 §2, §3; ETSI EN 319 102-1 §5.1.3
 */
export function findBindingFault(signer: SignerInfo): string | undefined {
  return findMisplaced(signer, bindings);
}

function findMisplaced(
  { signedAttributes, unsignedAttributes }: SignerInfo,
  types: readonly string[],
): string | undefined {
  for (const type of types) {
    if (unsignedAttributes.has(type)) return `attribute ${type} is not signed`;
    const count = signedAttributes?.get(type)?.length ?? 1;
    if (count !== 1) return `attribute ${type}: expected one value, found ${count}`;
  }
  return undefined;
}
