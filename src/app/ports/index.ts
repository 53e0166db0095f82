/** What the use cases need from the world: implemented by adapters, chosen by wire. */
export type * from './activity-log.ts';
export type { ContentsFolder, VaultKeyFile } from './contents-folder.ts';
export type { AnswerHold, AnswerMark, KeptAnswer } from './kept-answers.ts';
export type * from './outside.ts';
export type {
  AccessTokens,
  AuditedProcess,
  Challenges,
  Companies,
  ComplianceRecords,
  DeliveryFilter,
  DueJobs,
  EmailTemplates,
  Flows,
  Job,
  JobClaim,
  JobFailure,
  Jobs,
  LoginSessions,
  Messages,
  PollTimes,
  Processes,
  ProcessFilter,
  Sequences,
  Store,
  StoreHealth,
  StoreUnit,
  Watchlists,
  Webhooks,
} from './store.ts';
export type {
  ContentNames,
  OrphanMark,
  QuotaCount,
  QuotaUses,
  StoreFact,
  StoreFacts,
} from './store-facts.ts';
