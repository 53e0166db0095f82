import type { RandomOctets } from '../../domain/keys.ts';
import type { BlobStore, ContentsFolder, Store } from '../ports/index.ts';

/** What the care for a store as a whole stands on: the database and the folder of contents. */
export interface StoragePorts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly contentsFolder: ContentsFolder;
  /** Epoch milliseconds. */
  now(): number;
  readonly random: RandomOctets;
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
  /** Random name of the last collection; the folder has it too. */
  collection: 'collect.run',
  /** Day of the last collection that a worker began. */
  collectionDay: 'collect.day',
  /** Figures of a collection that was refused. */
  refused: 'collect.refused',
} as const;

/** Names of marks in the folder. */
export const markNames = { id: 'store', collection: 'collected', host: 'host-' } as const;
