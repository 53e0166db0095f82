import type {
  CollectionOptions,
  CollectionReport,
  StorageFigures,
} from '../../app/storage/index.ts';

/** Administration of the database and the blob folder as a whole. */
export interface StorageService {
  /**
   * Figures of both, whether or not they belong together.
   *
   * @example
   * const figures = await storage.show();
   */
  show(): Promise<StorageFigures>;
  /**
   * Binds database and folder to each other under a new ID, and returns it.
   *
   * @example
   * const id = await storage.adopt();
   */
  adopt(): Promise<string>;
  /**
   * Deletes stored blobs that have not been referred to for 30 days, and marks those that are now
   * unreferenced.
   *
   * @throws store.mismatch, store.collect.refused
   * @example
   * const { orphans } = await storage.collect({ dryRun: true });
   */
  collect(options: CollectionOptions): Promise<CollectionReport>;
  /**
   * Compares the clock of this machine with the times recorded by its programs.
   *
   * @param accept true: the clock is correct, and is recorded as such
   * @example
   * const { expectedMs } = await storage.clock(false);
   */
  clock(accept: boolean): Promise<ClockFigures>;
}

/** Time of this machine's clock, and the expected time. */
export interface ClockFigures {
  /** System time in epoch milliseconds. */
  readonly nowMs: number;
  /** Time derived from the records, epoch milliseconds. Undefined if they agree with the clock. */
  readonly expectedMs?: number;
}
