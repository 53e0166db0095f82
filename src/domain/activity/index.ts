/** The activity log: rows in a hash chain, daily roots, and the verification of both. */
export type { Activity, DailyRoot, OpenedValue, PersonalValue } from './activity.ts';
export { canonicalJson, storableText } from './canonical-json.ts';
export {
  type ChainFault,
  type ChainScope,
  chainHash,
  chainStart,
  commitmentTo,
  isInconclusiveChainFault,
  saltBytes,
  verifyChain,
} from './chain.ts';
export { findDifference } from './compare-process.ts';
export * from './daily-root.ts';
export { loggedContents, purgedContents } from './logged-contents.ts';
export {
  type ChainHead,
  type ChainOwner,
  clockStepMaxMs,
  type NewRow,
  nextRow,
  openedValues,
  type PersonalOf,
} from './row.ts';
export { loggedStatus, ownStatuses, publishedStatuses } from './statuses.ts';
