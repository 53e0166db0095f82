/** Verification of CAdES signatures, CMS files and time-stamp files. */

export { mergeData, tokenData } from './cades-values.ts';
export { type CadesPreservation, describeCadesPreservation } from './certificates-to-check.ts';
export {
  type CheckedTimestampFile,
  type TimestampFileContext,
  verifyTimestampFile,
} from './timestamp-file.ts';
export { type CadesContext, type OuterTimestamp, verifyCades } from './verify-cades.ts';
export {
  type FileBeside,
  findSignedContent,
  type SignedFile,
  verifyCmsFile,
} from './verify-cms-file.ts';
