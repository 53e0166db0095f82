import { isInnsigliError } from '../../base/errors.ts';
import { oids } from '../asn1/index.ts';
import { type SignerParts, splitSigner } from './signed-data/index.ts';
import { parseSignerInfo, type SignerInfo } from './signer-info.ts';

/** A signer over the signature value of another, and its pieces. */
export interface Countersigner {
  readonly signerInfo: SignerInfo;
  readonly parts: SignerParts;
  /** The signer whose value it is over. */
  readonly over: SignerInfo;
  /** Place in the list of the one that it is over; undefined for the signer of the content. */
  readonly countersigns: number | undefined;
}

/** Countersignatures over each other that are read. */
const MAX_DEPTH = 8;

/**
 * The signers of the unsigned attribute countersignature and of those inside them, each behind the
 * one that it is over; unreadable ones and those after the first `most` are left out.
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
