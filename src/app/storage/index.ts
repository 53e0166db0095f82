/** The care for a store as a whole: who belongs together, and which contents may go. */
export {
  adoptStore,
  bindStore,
  type ContentsSample,
  requireSameStore,
  sampleContents,
} from './bind-store.ts';
export { claimedContents, isFolderShared } from './claim-folder.ts';
export { findMoment, type NotedMoment, noteMoment } from './clock-moment.ts';
export {
  type CollectionReport,
  type CollectionWish,
  collectContents,
  findRefusal,
  GRACE_MS,
  giveDayBack,
  limitOf,
  ORPHAN_DAYS,
  takeDay,
} from './collect-contents.ts';
export { announceHost, type HostName, listHosts, requireSharedContents } from './hosts.ts';
export { ownContents, ownStoreCheck, requireOwnStore } from './own-store.ts';
export type { StoragePorts } from './ports.ts';
export {
  type HostTrust,
  requireSealTrust,
  type SealCertificate,
  type SealStanding,
} from './seal-trust.ts';
export { type StorageFigures, showStorage } from './show-storage.ts';
export { requireVaultKey } from './vault-key.ts';
