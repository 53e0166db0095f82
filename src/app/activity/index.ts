/** The activity log: rows are added with each change, read, verified and exported. */
export { findTime } from '../../base/time/iso-time.ts';
export { type ActivityEntry, holdsActivity, requireActivity } from './activity-entry.ts';
export * from './activity-service.ts';
export { type AnchorReport, anchorDays } from './anchor/anchor-days.ts';
export * from './anchor/anchor-job.ts';
export { newestRoot, trustedTime } from './anchor/stored-roots.ts';
export * from './append.ts';
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
export type * from './ports.ts';
export { type ActivityFilter, type ActivityQuery, parseActivityQuery } from './query-log.ts';
export type { ChainFinding } from './verify/chain-walk.ts';
export {
  type EvidenceComparison,
  type EvidenceFault,
  evidenceBytesMax,
} from './verify/compare-evidence.ts';
export type { DayFinding, DaysVerification } from './verify/verify-days.ts';
export * from './verify/verify-export.ts';
export type { ActivityVerification, VerifyRequest } from './verify/verify-log.ts';
