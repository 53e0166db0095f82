/** Maintenance of a store: binding of database, folder, key and hosts, and garbage collection. */
export {
  adoptStore,
  bindStore,
  type ContentsSample,
  findMoment,
  noteMoment,
  ownContents,
  ownStoreCheck,
  requireOwnStore,
  requireSameStore,
  sampleContents,
} from './bind-store.ts';
export { claimedContents, isFolderShared, type StoragePorts } from './claim-folder.ts';
export {
  type CollectionOptions,
  type CollectionReport,
  claimDay,
  collectContents,
  findRefusal,
  GRACE_MS,
  releaseDay,
} from './collect-contents.ts';
export { announceHost, type HostName, listHosts, requireSharedContents } from './hosts.ts';
export {
  type HostTrust,
  requireSealTrust,
  type SealCertificate,
  type SealStanding,
} from './seal-trust.ts';
export { type StorageFigures, showStorage } from './show-storage.ts';
export { requireVaultKey } from './vault-key.ts';
