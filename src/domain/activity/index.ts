/** The activity log: rows in a hash chain, daily roots, and how both are verified. */
export type { Activity, DailyRoot, OpenedValue, PersonalValue } from './activity.ts';
export { type CanonicalValue, canonicalJson, storableText } from './canonical-json.ts';
export {
  type ActivityRecord,
  type ChainFault,
  type ChainScope,
  type ChainVerdict,
  chainHash,
  chainStart,
  commitmentTo,
  isChainDoubt,
  saltBytes,
  verifyChain,
} from './chain.ts';
export { findDifference } from './compare-process.ts';
export {
  anchorDigest,
  anchorGraceMs,
  anchorStart,
  compareDay,
  type DayFault,
  dayOf,
  daySpan,
  daysBetween,
  isDay,
  isDoubt,
  merkleRoot,
  nextDay,
  quietDaysMax,
  stampTimeFault,
} from './daily-root.ts';
export { loggedContents, purgedContents } from './logged-contents.ts';
export { loggedStatus } from './logged-status.ts';
export { openedValues, type PersonalOf } from './opened-values.ts';
export { type ChainHead, type ChainOwner, clockStepMaxMs, type NewRow, nextRow } from './row.ts';
export { ownStatuses, personActor, publishedStatuses, systemActors } from './statuses.ts';
