import type { CollectionReport, CollectionWish, StorageFigures } from '../app/storage/index.ts';

/** What an operator does with the database and the folder of contents as a whole. */
export interface StorageToolkit {
  /** Figures of both, whether or not they belong together. */
  show(): Promise<StorageFigures>;
  /** Joins database and folder under a new id, and gives that. */
  adopt(): Promise<string>;
  /** @throws store.mismatch, store.collect.refused */
  collect(wish: CollectionWish): Promise<CollectionReport>;
}
