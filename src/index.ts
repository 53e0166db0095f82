/**
 * Entry «innsigli»: seal, archive and verify documents. Importing it opens no file, no database
 * and no server; bytes go in, bytes and reports come out.
 */

export {
  type CmsSigner,
  type FromSignpdfOptions,
  fromSignpdfSigner,
  type KeyObjectSignerOptions,
  keyObjectSigner,
  type P12SignerOptions,
  type PemSignerOptions,
  p12Signer,
  pemSigner,
  type ToSignpdfOptions,
} from './adapters/keys/index.ts';
export {
  combinedRevocationSource,
  httpRevocationSource,
  staticRevocationSource,
} from './adapters/revocation/index.ts';
export {
  failoverTimestampAuthority,
  type HttpTimestampOptions,
  httpTimestampAuthority,
  type LocalTimestampOptions,
  localTimestampAuthority,
} from './adapters/tsa/index.ts';
export type { VisibleSeal } from './app/visible-seal.ts';
export type { NamedFile } from './app/xml-request.ts';
export { CoreError, type ErrorCode, isCoreError } from './base/errors.ts';
export { type SealLevel, sealLevels } from './base/level.ts';
export type { DigestAlgorithm, SignatureAlgorithm } from './formats/x509/index.ts';
export type {
  RandomSource,
  RevocationData,
  RevocationSource,
  Signer,
  TimestampAuthority,
} from './seal/ports.ts';
export type { XadesClaims, XadesPlace, XadesPolicy } from './seal/xades/index.ts';
export type {
  CmsSignatureReport,
  ContainedFile,
  ContainerVerificationReport,
  DocumentCoverage,
  Finding,
  Indication,
  PdfVerificationReport,
  ReferenceReport,
  ReportFrame,
  SignatureJudgement,
  SignatureReport,
  SignerSummary,
  TimestampSummary,
  VerificationReport,
  XmlSignatureReport,
  XmlVerificationReport,
} from './verify/report.ts';
export {
  archivePdf,
  type SealedResult,
  type SealPdfOptions,
  type SealResult,
  type SealWithCmsOptions,
  sealPdf,
  sealPdfWithCms,
  type VerifyOptions,
  verifyDocument,
} from './wire/library.ts';
export {
  type ArchiveXmlOptions,
  archiveContainer,
  archiveXml,
  type ContainerSealResult,
  type SealContainerOptions,
  type SealXmlOptions,
  type SignFilesOptions,
  sealContainer,
  sealXml,
  type XmlSealResult,
} from './wire/library-documents.ts';
export type { CertificateInput, DocumentOptions, LongTermOptions } from './wire/library-ports.ts';
export { toSignpdfSigner } from './wire/library-signpdf.ts';
