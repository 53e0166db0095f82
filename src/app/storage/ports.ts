import type { RandomBytes } from '../../domain/keys.ts';
import type { BlobStore, ContentsFolder, Store } from '../ports/index.ts';

/** What the care for a store as a whole stands on: the database and the folder of contents. */
export interface StoragePorts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly contentsFolder: ContentsFolder;
  /** Epoch milliseconds. */
  now(): number;
  readonly random: RandomBytes;
}

/** Names of facts about the store. */
export const factNames = {
  /** The id that database and folder share. */
  id: 'store.id',
  /** The id that both are about to get. */
  proposed: 'store.proposed',
  vaultCheck: 'vault.check',
  developmentTrust: 'trust.development',
  sealCertificate: 'seal.certificate',
  /** Begin of the names of hosts. */
  host: 'host.',
  /** Begin of the names of the moments that hosts have noted. */
  clock: 'clock.',
  /** Random name of the last collection; the folder has it too. */
  collection: 'collect.run',
  /** Day of the last collection that a worker began. */
  collectionDay: 'collect.day',
  /** Names under which this database stores contents: the newest, and the one before. */
  claim: 'claim.name',
  /** Another database stores contents in the folder, or this one was put back; when it was seen. */
  foreign: 'claim.foreign',
  /** Figures of a collection that was refused. */
  refused: 'collect.refused',
} as const;

/** Names of marks in the folder. */
export const markNames = {
  id: 'store',
  collection: 'collected',
  claim: 'claimed',
  host: 'host-',
} as const;
