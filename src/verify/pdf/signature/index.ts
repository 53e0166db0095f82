/** Verification of one signature or time-stamp of a PDF. */
export {
  type CertificatesToCheck,
  type CertificateToCheck,
  listCertificatesToCheck,
} from './certificates-to-check.ts';
export { checkSignatureObject } from './check-signature.ts';
export { checkTimestamp } from './check-timestamp.ts';
export { verifyCmsSignature } from './cms-signature.ts';
export { verifyDocumentTimestamps } from './document-timestamps.ts';
export { findWeakSignature } from './find-weak-signature.ts';
