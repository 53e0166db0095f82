/** The activity log: rows are appended with each change, and read, verified and exported. */
export { type ActivityEntry, isActivityIntact, requireActivity } from './activity-entry.ts';
export { type ActivityService, activityOperations } from './activity-service.ts';
export {
  type AnchorReport,
  anchorCompany,
  anchorDays,
  firstAnchorJob,
} from './anchor/anchor-days.ts';
export { newestRoot, trustedTime } from './anchor/stored-roots.ts';
export { appendActivities, appendActivity, isClockSound, requireClock } from './append.ts';
export type { ExportRequest } from './export-log.ts';
export {
  type ActivityLogEntry,
  type ActivityLogWrapper,
  type AttachmentReference,
  attachmentReferenceOf,
  logTime,
  type SequenceSigneeActivityLog,
  type ShownLog,
  type SigneeActivityLog,
  withoutSigneeKeys,
} from './log-shapes.ts';
export type { ActivityPorts } from './ports.ts';
export {
  type ActivityFilter,
  type ActivityQuery,
  type FilterWord,
  parseActivityQuery,
  statusFilters,
} from './query-log.ts';
export type { ChainFinding } from './verify/chain-walk.ts';
export {
  type EvidenceComparison,
  type EvidenceFault,
  evidenceBytesMax,
} from './verify/compare-evidence.ts';
export type { DayFinding, DaysVerification } from './verify/verify-days.ts';
export { type ExportVerification, verifyExport } from './verify/verify-export.ts';
export type { ActivityVerification, VerifyRequest } from './verify/verify-log.ts';
