/** Verification of one signer of a CMS SignedData, in any format. */
export { checkCertificates } from './certificate-attribute.ts';
export type { CmsVerdict } from './cms-verdict.ts';
export { checkCmsSigner, requireConstraints, signingTimeOf } from './signature-constraints.ts';
export { type SignedContent, signatureTimestamps, verifySigner } from './verify-signer.ts';
