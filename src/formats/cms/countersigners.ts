import { isInnsigliError } from '../../base/errors.ts';
import { oids } from '../asn1/index.ts';
import { type SignerParts, splitSigner } from './signed-data/index.ts';
import { parseSignerInfo, type SignerInfo } from './signer-info.ts';

/** A countersigner, and the parts of its SignerInfo. */
export interface Countersigner {
  readonly signerInfo: SignerInfo;
  readonly parts: SignerParts;
  /** The signer whose signature value it signs. */
  readonly over: SignerInfo;
  /** Index in the list of the countersigner it countersigns; undefined for the content's signer. */
  readonly countersigns: number | undefined;
}

/** Maximum nesting depth of countersignatures that are read. */
const MAX_DEPTH = 8;

/**
 * The signers in the unsigned attribute countersignature, including nested ones, each after the
 * signer it countersigns. Unreadable ones and those beyond `most` are dropped.
 *
 * @spec RFC 5652 §11.4
 */
export function listCountersigners(signer: SignerInfo, most: number): readonly Countersigner[] {
  const found: Countersigner[] = [];
  addFrom(signer, undefined, MAX_DEPTH);
  return found;

  function addFrom(over: SignerInfo, countersigns: number | undefined, depth: number): void {
    if (depth === 0) return;
    for (const node of over.unsignedAttributes.get(oids.counterSignature) ?? []) {
      if (found.length >= most) return;
      try {
        const signerInfo = parseSignerInfo(node);
        found.push({ signerInfo, parts: splitSigner(node), over, countersigns });
        addFrom(signerInfo, found.length - 1, depth - 1);
      } catch (error) {
        if (!isInnsigliError(error)) throw error;
      }
    }
  }
}
