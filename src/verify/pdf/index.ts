/** Verification of PDF signatures and time-stamps, and of changes made after them. */

export { findFurtherChange } from './find-further-change.ts';
export {
  type CertificateToCheck,
  findWeakSignature,
  listCertificatesToCheck,
} from './signature/index.ts';
export { verifyIntegrity } from './verify-integrity.ts';
export { type VerificationContext, verifyPdf } from './verify-pdf.ts';
