/** The verification of PDF signatures and time-stamps, and of what was changed after them. */

export {
  type CertificatesToCheck,
  type CertificateToCheck,
  listCertificatesToCheck,
} from './certificates-to-check.ts';
export { findFurtherChange } from './find-further-change.ts';
export { findWeakSignature } from './find-weak-signature.ts';
export { verifyIntegrity } from './verify-integrity.ts';
export { type VerificationContext, verifyPdf } from './verify-pdf.ts';
