/**
 * Entry point `innsigli/toolkit`: everything that the command line can do, as an object: sealing,
 * augmentation and verification with one configuration, and the signing service with its processes,
 * signatures, reminders, webhooks, flows and log. Every method can also throw `validation.error`
 * for its arguments, codes of the store (`store.…`, `blob.…`) and of a log that cannot be continued
 * (`clock.back`, `activity.chain.broken`). Where `pdf.notpdf` is listed, every `pdf.…` can occur.
 */

export type { DevelopmentKey, DevelopmentTrust, PersonRequest } from './adapters/devtrust/index.ts';
export type {
  ActivityFilter,
  ActivityLogEntry,
  ActivityLogWrapper,
  ActivityQuery,
  ActivityService,
  ActivityVerification,
  AnchorReport,
  AttachmentReference,
  ChainFinding,
  DayFinding,
  DaysVerification,
  EvidenceComparison,
  EvidenceFault,
  ExportRequest,
  ExportVerification,
  SequenceSigneeActivityLog,
  SigneeActivityLog,
  VerifyRequest,
} from './app/activity/index.ts';
export type {
  AuthService,
  CompanyLogin,
  CompanyLoginPoll,
  CompanyLoginRequest,
  CompanySigningRequest,
  EidMethodFacts,
  EidMethodFinding,
  FlowLoginPoll,
  FlowLoginRequest,
  IdentityService,
  IssuedToken,
  LoginAnswer,
  LoginEvidence,
  LoginFailure,
  LoginPage,
  LoginResultRequest,
  ObservedPlace,
  PageLogin,
  PageLoginRequest,
  PageLoginResult,
  PasscodeAnswer,
  ReturnPlace,
  ReturnReceiver,
  ReturnWords,
  SequenceLoginAnswer,
  SequenceLoginPoll,
  SequenceLoginRequest,
  ShownCode,
  SigneeLoginAnswer,
  SigneeLoginPoll,
  SigneeLoginRequest,
  SigneeSession,
  SigningScheme,
  StartedLogin,
  TokenPlace,
  TokenVerdict,
  WaitingLogin,
} from './app/auth/index.ts';
export type {
  ApiKeyTerms,
  CompanyAccess,
  CompanyRequest,
  CreatedCompany,
} from './app/company/index.ts';
export type { CompanyService, FailedJob, WorkReport } from './app/company-service.ts';
export type {
  ComplianceQuery,
  ComplianceRequest,
  ComplianceService,
  DueQuery,
  DueRecord,
  RequirementRequest,
} from './app/compliance/index.ts';
export type { XmlPackaging } from './app/documents/xml/request.ts';
export type {
  AskCondition,
  CustomerForm,
  ExampleRequest,
  FlowDetails,
  FlowOverview,
  FlowService,
  FormField,
  FormFieldKind,
  FormQuestion,
  FormQuestions,
  MadeDocument,
  QuestionKind,
  RowsQuestion,
  SchemaRequest,
} from './app/flow/index.ts';
export type {
  MessageQuery,
  MessageService,
  MessageView,
  Receipt,
  ReceiptService,
  RetriedMessages,
} from './app/message/index.ts';
export type { BoundUseCases, Given, Service as MethodsOf } from './app/operation.ts';
export type {
  ByteSpan,
  DueJobs,
  EidAssurance,
  EidCertificates,
  EidDelivery,
  EidDigest,
  EidEvidence,
  EidFinding,
  EidIdentity,
  EidShownLogin,
  EidSignature,
  EidSignatureAlgorithm,
  EidSigning,
  EidSignOrder,
  EidState,
  ForeignScheme,
  IdentityAnswer,
  IdentityProvider,
  IdentityRequest,
  IdentitySession,
  RegisterFigures,
  SimulatorDesk,
  SimulatorVerdict,
  StoredContent,
  StoreHealth,
  WaitingSession,
} from './app/ports/index.ts';
export type {
  AttachmentReferenceRequest,
  AttachmentRequest,
  BroughtDocument,
  FormPerson,
  FormRequest,
  ProcessRequest,
  ProcessService,
  SequenceRequest,
  SequenceView,
  SigneeRequest,
  StartedByForm,
} from './app/process/index.ts';
export type { LookupUse, QuotaChange, QuotaUse } from './app/quotas.ts';
export type { RegisterImport } from './app/register/index.ts';
export type {
  Reminded,
  ReminderRun,
  ReminderService,
  ReminderTarget,
  RemindRequest,
} from './app/reminder/index.ts';
export type {
  BatchScreening,
  CustomerMatch,
  CustomerRequest,
  CustomerView,
  DecisionRequest,
  ListImport,
  ListUpdate,
  Replay,
  Rescreening,
  Screening,
  ScreeningChain,
  ScreeningMatch,
  ScreeningQuery,
  ScreeningRequest,
  ScreeningService,
  SelfTest,
  SelfTestFault,
  TakenCustomers,
  UpdatedLists,
} from './app/screening/index.ts';
export type { CompanyLogo } from './app/sender/index.ts';
export type {
  AuthAnswer,
  EidChoice,
  LoginChoice,
  QualifiedAnswer,
  ShownDocument,
  SigneeRef,
  SigningService,
  StartedCode,
  StartedSession,
  ViewedDocument,
} from './app/signing/index.ts';
export type {
  CollectionOptions,
  CollectionReport,
  ContentsSample,
  StorageFigures,
} from './app/storage/index.ts';
export type { TemplateRequest, TemplateService } from './app/template-service.ts';
export type {
  CreateWebhook,
  DeliveryQuery,
  DeliveryView,
  HeardEvent,
  ListenRequest,
  PingOutcome,
  ReplayRequest,
  TriggerRequest,
  WebhookChange,
  WebhookListener,
  WebhookService,
  WebhookView,
  WebhookWithSecret,
} from './app/webhook/index.ts';
export { type ByteSource, joinedSource, memorySource } from './base/bytes.ts';
export type { ErrorKind } from './base/error-codes.table.ts';
export {
  type ErrorCode,
  type ErrorContext,
  type ErrorDetails,
  type ErrorDetailsByFamily,
  type ErrorFinding,
  InnsigliError,
  isInnsigliError,
} from './base/errors.ts';
export type { SealLevel } from './base/level.ts';
export type * from './document.types.ts';
export type { ChainFault, DayFault } from './domain/activity/index.ts';
export type {
  Customer,
  EidFailCode,
  EidMethod,
  LoginLink,
  LoginReturn,
  LoginScheme,
  LookupType,
} from './domain/auth/index.ts';
export type {
  ApiKeyRecord,
  ApiKeyScope,
  Company,
  CompanyUser,
  QuotaName,
  Quotas,
} from './domain/company.ts';
export type {
  ComplianceChange,
  ComplianceMessage,
  ComplianceRecord,
  ComplianceRules,
  ComplianceSource,
  ComplianceStatus,
  ComplianceType,
  PepAcceptance,
  Periods,
  Requirement,
  RiskEvaluation,
  RiskLevel,
  SubjectRules,
} from './domain/compliance/index.ts';
export type {
  DefaultSignee,
  Flow,
  FlowSchema,
  FlowSettings,
  FlowType,
  FlowValue,
  FlowValues,
  InitiationMethod,
  QuestionMode,
} from './domain/flow/index.ts';
export type {
  AttachmentKey,
  CompanyKey,
  FlowKey,
  Key,
  PersonKey,
  ProcessKey,
  SequenceKey,
  SigneeKey,
} from './domain/keys.ts';
export type { ListFormat } from './domain/list-formats.ts';
export type { EmailTemplate, Message, MessageState } from './domain/message/index.ts';
export type {
  Contact,
  Identity,
  ProvedIdentity,
  SigneeIdentity,
  SigneeLogin,
} from './domain/person/index.ts';
export type {
  Attachment,
  AttachmentType,
  Audience,
  Circumstances,
  DeliveryType,
  DocumentRef,
  Finalization,
  HeldTime,
  JobKind,
  Lease,
  LinkUse,
  MessageTemplate,
  ProcessPhase,
  ProcessPolicy,
  ProcessStatus,
  ReminderPlan,
  ReminderRule,
  SignatureLocation,
  SignatureProof,
  SignatureType,
  Signee,
  SigneeState,
  SigningProcess,
  Undelivered,
  WebhookType,
} from './domain/process/index.ts';
export type {
  DecisionKind,
  ListDelta,
  ListedDate,
  ListedIdentity,
  ListedName,
  ListedPerson,
  ListFile,
  ListVersion,
  MatchDecision,
  MatchedField,
  MatchPair,
  NamePart,
  PersonQuery,
  RecordedMatch,
  ScreeningCause,
  ScreeningRecord,
  SearchedList,
  Unread,
  WatchCategory,
} from './domain/screening/index.ts';
export type { Sequence, SequencePerson, SigningKey } from './domain/sequence.ts';
export type { Drawing, ShownPrompt } from './domain/signing/index.ts';
export type {
  DeliveryAttempt,
  DeliveryState,
  ReceivedWebhook,
  SignatureFault,
  SignatureVerdict,
  Webhook,
  WebhookDelivery,
  WebhookSecrets,
  WebhookVerification,
} from './domain/webhook/index.ts';
export type {
  RandomSource,
  RevocationData,
  RevocationRequest,
  RevocationSource,
  Signer,
} from './seal/ports.ts';
export type { SealDigest } from './wire/config/config.ts';
export { type DevelopmentTrustOptions, openDevelopmentTrust } from './wire/library/development.ts';
export type {
  Innsigli,
  InnsigliIo,
  InnsigliSettings,
  ServiceHealth,
} from './wire/library/innsigli.types.ts';
export { openInnsigli } from './wire/library/open-innsigli.ts';
export type { RegisterService, RegisterStatus } from './wire/service/register-service.types.ts';
export type { ClockFigures, StorageService } from './wire/service/storage-service.types.ts';
export type {
  ConfiguredOperations,
  Diagnosis,
  DiagnosisOptions,
  FileObjectSource,
  FirstCompany,
  InitOutcome,
  KeyOptions,
  SealFilesOptions,
  SealOptions,
  SealXmlOptions,
  TrustServer,
  VerifyDocumentOptions,
  WarningCode,
} from './wire/toolkit.types.ts';
