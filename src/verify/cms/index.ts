/** The verification of one signer of a CMS SignedData, whatever carries it. */
export { findAttributeDeparture } from './certificate-attribute.ts';
export { type CmsVerdict, checkBrokenSigner } from './cms-verdict.ts';
export {
  findDisallowedDigest,
  listMissingAttributes,
  requireConstraints,
  signingTimeOf,
} from './signature-constraints.ts';
export { type SignedContent, signatureTimestamps, verifySigner } from './verify-signer.ts';
