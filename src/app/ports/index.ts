/** Ports of the use cases, implemented by adapters that the wiring selects. */

export type * from './document-texts.ts';
export * from './eid.ts';
export type * from './jobs.ts';
export type * from './outside.ts';
export type * from './screenings.ts';
export type * from './simulator.ts';
export type * from './store.ts';
export type * from './store-rows.ts';
export { requireStoredStatus } from './stored-status.ts';
export type * from './trust.ts';
export type * from './watchlists.ts';
