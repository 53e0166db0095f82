/** The care for a store as a whole: who belongs together, and which contents may go. */
export * from './bind-store.ts';
export { claimedContents, isFolderShared, type StoragePorts } from './claim-folder.ts';
export * from './collect-contents.ts';
export { announceHost, type HostName, listHosts, requireSharedContents } from './hosts.ts';
export * from './seal-trust.ts';
export * from './show-storage.ts';
export { requireVaultKey } from './vault-key.ts';
