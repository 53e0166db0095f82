/** Screening of persons against the embedded and imported lists. */
export { screeningsPerMinute } from './quota.ts';
export {
  defaultMatchRate,
  type Screening,
  type ScreeningRequest,
  type ScreeningService,
  screeningService,
} from './screening-service.ts';
