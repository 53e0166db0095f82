/** Trust profiles: trusted lists that are fetched, verified, stored and exported. */
export { readableCertificates } from './check-list.ts';
export type { FetchList } from './find-first-list.ts';
export { type LoadedTrust, loadTrust } from './load-trust.ts';
export { systemProfile } from './profile-text.ts';
export {
  type ListStatus,
  listTrust,
  type ProfileStatus,
  type ShownProfile,
  type ShownService,
  showTrust,
} from './show-trust.ts';
export type { ListOutcome } from './sync-profile.ts';
export {
  type ChangedProfile,
  exportTrust,
  type ImportOptions,
  importTrust,
  type SyncOptions,
  syncTrust,
  type TrustPorts,
} from './trust-service.ts';
