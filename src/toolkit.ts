/**
 * Entry «innsigli/toolkit»: everything that the command line can do, as an object. Sealing,
 * archiving and verifying over a configuration, and the signing service with its processes,
 * signatures, reminders, webhooks, flows and log.
 */
export {
  type DevelopmentTrust,
  type DevelopmentTrustOptions,
  openDevelopmentTrust,
} from './adapters/devtrust/index.ts';
export type { ActivityService } from './app/activity/index.ts';
export type { CompanyRequest, CreatedCompany } from './app/company/index.ts';
export type { CompanyService, WorkReport } from './app/company-service.ts';
export type { FlowService } from './app/flow/index.ts';
export type {
  ProcessRequest,
  ProcessService,
  SequenceRequest,
  SequenceView,
  SigneeRequest,
} from './app/process/index.ts';
export type { ReminderService } from './app/reminder/index.ts';
export type { SigneeRef, SigningService } from './app/signing/index.ts';
export type { WebhookService } from './app/webhook/index.ts';
export { type ByteSource, joinedSource, memorySource } from './base/bytes.ts';
export { type ErrorCode, InnsigliError, isInnsigliError } from './base/errors.ts';
export type { Company } from './domain/company/index.ts';
export type { Signee, SigningProcess } from './domain/process/index.ts';
export { openToolkit, type ToolkitSettings } from './wire/library/toolkit.ts';
export type { Service } from './wire/service/service.types.ts';
export type {
  Diagnosis,
  FileObjectSource,
  FirstCompany,
  InitOutcome,
  SealedParts,
  SealFilesOptions,
  SealOptions,
  SealXmlOptions,
  Toolkit,
  ToolkitIo,
  TrustServer,
  VerifyDocumentOptions,
} from './wire/toolkit.types.ts';
