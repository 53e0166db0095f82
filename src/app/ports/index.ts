/** What the use cases need from the world: implemented by adapters, chosen by wire. */

export type { AccessTokens, LoginSessions, PollTimes } from './access.ts';
export type * from './activity-log.ts';
export type { ContentsFolder, VaultKeyFile } from './contents-folder.ts';
export type { AnswerHold, AnswerMark, KeptAnswer } from './idempotency-keys.ts';
export type { Origins } from './origins.ts';
export type * from './outside.ts';
export type {
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
  Messages,
  Processes,
  ProcessFilter,
  Sequences,
  Store,
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
  StoreHealth,
} from './store-facts.ts';
export type { Tallies } from './tallies.ts';
