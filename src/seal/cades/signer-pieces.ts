import { InnsigliError } from '../../base/errors.ts';
import { joinSignedData, type SignedDataParts, type SignerParts } from '../../formats/cms/index.ts';

/** The signer at the index. @throws cms.invalid when there is none */
export function requireSigner({ signers }: SignedDataParts, signerIndex: number): SignerParts {
  const signer = signers[signerIndex];
  if (signer !== undefined) return signer;
  const message = `expected signer ${signerIndex}, found ${signers.length} signers`;
  throw new InnsigliError('cms.invalid', message);
}

/**
 * The SignedData with one more unsigned attribute at one signer; all other bytes of values stay.
 *
 * @throws cms.invalid when there is no such signer
 */
export function withUnsignedAttribute(
  parts: SignedDataParts,
  signerIndex: number,
  attribute: Uint8Array,
): Uint8Array {
  const chosen = requireSigner(parts, signerIndex);
  const unsignedAttributes = [...chosen.unsignedAttributes, attribute];
  const signers = parts.signers.map((signer) =>
    signer === chosen ? { ...signer, unsignedAttributes } : signer,
  );
  return joinSignedData({ ...parts, signers });
}
