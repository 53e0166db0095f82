/** The verification of one signer of a CMS SignedData, whatever carries it. */
export { checkCertificates } from './certificate-attribute.ts';
export type { CmsVerdict } from './cms-verdict.ts';
export { checkCmsSigner, requireConstraints, signingTimeOf } from './signature-constraints.ts';
export { type SignedContent, signatureTimestamps, verifySigner } from './verify-signer.ts';
