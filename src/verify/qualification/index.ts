/** Qualification of signatures and time-stamps according to trusted lists. */
export { describeQualification, describeTimestampQualification } from './describe-qualification.ts';
export type {
  CertificateStatus,
  ListEvidence,
  QualificationReport,
  QualificationResult,
  ServiceSummary,
} from './qualification.types.ts';
export { createQualifier, type Qualifier } from './qualifier.ts';
export { findListedCertificate } from './service-index.ts';
