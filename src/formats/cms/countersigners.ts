import { isInnsigliError } from '../../base/errors.ts';
import { oids } from '../asn1/index.ts';
import { type SignerParts, splitSigner } from './signed-data-parts.ts';
import { parseSignerInfo, type SignerInfo } from './signer-info.ts';

/** A signer over the signature value of another, and its pieces. */
export interface Countersigner {
  readonly signerInfo: SignerInfo;
  readonly parts: SignerParts;
}

/**
 * The signers of the unsigned attribute countersignature; unreadable ones are left out.
 *
 * @spec RFC 5652 §11.4
 */
export function listCountersigners({ unsignedAttributes }: SignerInfo): readonly Countersigner[] {
  const nodes = unsignedAttributes.get(oids.counterSignature) ?? [];
  return nodes.flatMap((node) => {
    try {
      return [{ signerInfo: parseSignerInfo(node), parts: splitSigner(node) }];
    } catch (error) {
      if (isInnsigliError(error)) return [];
      throw error;
    }
  });
}
