/** The activity log: rows in a hash chain, daily roots, and how both are verified. */
export type * from './activity.ts';
export * from './canonical-json.ts';
export * from './chain.ts';
export * from './compare-process.ts';
export * from './daily-root.ts';
export { loggedContents, purgedContents } from './logged-contents.ts';
export * from './row.ts';
export { loggedStatus, ownStatuses, publishedStatuses } from './statuses.ts';
