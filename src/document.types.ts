/** Types of documents, certificates and reports, for the entry points that seal and verify. */
export type { DocumentFormat } from './app/documents/document-format.ts';
export type { VisibleSeal } from './app/documents/pdf/visible-seal.ts';
export type {
  ArchivePlan,
  PlannedCertificate,
  PlannedSignature,
  PlannedStatus,
  PlannedStep,
  PlanProblem,
} from './app/documents/plan/archive-plan.ts';
export type { ProvesUntil, SealedDocument } from './app/documents/sealed-document.ts';
export type { RevocationMode } from './base/revocation-mode.ts';
export type { DerNode } from './formats/asn1/index.ts';
export type {
  Certificate,
  CertificateExtensions,
  DigestAlgorithm,
  SignatureAlgorithm,
} from './formats/x509/index.ts';
export type { Box, Corner } from './seal/appearance/index.ts';
export type {
  EnvelopedTransform,
  XadesClaims,
  XadesPlace,
  XadesPolicy,
} from './seal/xades/index.ts';
export type {
  CertificateStatus,
  QualificationReport,
  QualificationResult,
  ServiceSummary,
} from './verify/qualification/index.ts';
export type {
  BuildingBlock,
  BuildingBlockName,
  ChangeKind,
  ChangeLevel,
  ChangeReport,
  ChangesReport,
  CmsSignatureReport,
  CmsVerificationReport,
  ContainerFile,
  ContainerVerificationReport,
  CountersignatureReport,
  DocumentCoverage,
  Finding,
  FindingCode,
  Indication,
  PdfVerificationReport,
  ReferenceReport,
  ReportFrame,
  RevocationInquiry,
  RevocationReport,
  Severity,
  SignatureConclusion,
  SignatureReport,
  SignerSummary,
  TimestampSummary,
  VerificationReport,
  XmlSignatureReport,
  XmlVerificationReport,
} from './verify/report/index.ts';
