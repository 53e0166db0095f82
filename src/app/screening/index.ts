/** Lists of persons, and the screening of others against them. */
export type { ListImport } from './manage-lists.ts';
export type { ListPorts, OpenedLists } from './open-lists.ts';
export {
  type Screening,
  type ScreeningMatch,
  type ScreeningPorts,
  type ScreeningRequest,
  type ScreeningService,
  screeningOperations,
} from './screening-service.ts';
export type { SelfTest, SelfTestFault } from './self-test.ts';
