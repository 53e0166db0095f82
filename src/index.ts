/**
 * Entry point `innsigli`: seal, augment and verify documents. Importing it opens no file, database
 * or server. The functions take bytes, and return bytes and reports.
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
  type SigningChoice,
  type ToSignpdfOptions,
} from './adapters/keys/index.ts';
export {
  combinedRevocationSource,
  type FetchLimits,
  type FetchOptions,
  httpRevocationSource,
  staticRevocationSource,
} from './adapters/revocation/index.ts';
export {
  type FailoverOptions,
  failoverTimestampAuthority,
  type HttpTimestampAuthority,
  type HttpTimestampOptions,
  httpTimestampAuthority,
  type TimestampIdentity,
} from './adapters/tsa/index.ts';
export type { FileObject } from './app/documents/xml/request.ts';
export type { ReportFormat } from './app/reports/index.ts';
export {
  type ErrorCode,
  type ErrorCodeOf,
  type ErrorContext,
  type ErrorDetails,
  type ErrorDetailsByFamily,
  type ErrorFamily,
  type ErrorFinding,
  type ErrorKind,
  InnsigliError,
  isInnsigliError,
} from './base/errors.ts';
export { type SealLevel, sealLevels } from './base/level.ts';
export type { LocaleCode } from './base/words/index.ts';
export type * from './document.types.ts';
export type {
  RandomSource,
  RevocationData,
  RevocationRequest,
  RevocationSource,
  Signer,
  TimestampAuthority,
} from './seal/ports.ts';
export type { CmsSubFilter } from './seal/signature-dictionary.ts';
export type { AlgorithmTable, KeyFamily } from './trust/algorithms/index.ts';
export { type LocalTimestampOptions, localTimestampAuthority } from './wire/library/development.ts';
export {
  type AugmentCmsOptions,
  type AugmentXmlOptions,
  augmentCms,
  augmentContainer,
  augmentXml,
  type PlanArchiveOptions,
  planArchive,
  type SealContainerOptions,
  type SealXmlOptions,
  type SignFilesOptions,
  sealContainer,
  sealXml,
  type TimestampOptions,
  timestampDocument,
} from './wire/library/documents.ts';
export {
  augmentPdf,
  type SealPdfOptions,
  type SealWithCmsOptions,
  type SignatureTexts,
  sealPdf,
  sealPdfWithCms,
  type VerifyOptions,
  verifyDocument,
} from './wire/library/library.ts';
export type { CertificateInput, DocumentOptions, LongTermOptions } from './wire/library/ports.ts';
export { type RenderReportOptions, renderReport } from './wire/library/reports.ts';
export { type SignpdfSignerOptions, toSignpdfSigner } from './wire/library/signpdf.ts';
