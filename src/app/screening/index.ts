/** Screening of persons against the embedded and imported lists. */
export {
  type Screening,
  type ScreeningRequest,
  type ScreeningService,
  screeningOperations,
} from './screening-service.ts';
