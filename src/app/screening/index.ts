/** Watchlists, and the screening of persons against them. */
export type { Replay, ScreeningChain, ScreeningQuery } from './audit-screenings.ts';
export type { DecisionRequest } from './decide-match.ts';
export type {
  ListPorts,
  ListSource,
  OpenedLists,
  SearchThreads,
  SharedList,
} from './lists/index.ts';
export type {
  CustomerMatch,
  CustomerRequest,
  CustomerView,
  TakenCustomers,
} from './manage-customers.ts';
export type { ListImport } from './manage-lists.ts';
export { planRescreening, type Rescreening, rescreenDue } from './rescreen-customers.ts';
export {
  type BatchScreening,
  isStale,
  type Screening,
  type ScreeningMatch,
  type ScreeningPorts,
  type ScreeningRequest,
} from './screen-persons.ts';
export { type ScreeningService, screeningOperations } from './screening-service.ts';
export type { SelfTest, SelfTestFault } from './self-test.ts';
export type { ListUpdate, UpdatedLists } from './update-lists.ts';
export { type WarmUpOptions, warmUpScreening } from './warm-up.ts';
