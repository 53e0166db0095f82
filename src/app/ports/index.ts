/** What the use cases need from the world: implemented by adapters, chosen by wire. */

export type * from './outside.ts';
export type * from './store.ts';
export type {
  AccessTokens,
  ActivityLog,
  AnswerHold,
  AnswerMark,
  ContentNames,
  KeptAnswer,
  LoginSessions,
  Origins,
  PollTimes,
  QuotaCount,
  QuotaUses,
  StoreFact,
  StoreFacts,
  StoreHealth,
  Tallies,
} from './store-rows.ts';
