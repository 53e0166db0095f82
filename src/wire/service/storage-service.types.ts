import type {
  CollectionOptions,
  CollectionReport,
  StorageFigures,
} from '../../app/storage/index.ts';

/** Operations on the database and the folder of contents as a whole. */
export interface StorageService {
  /**
   * Figures of both, whether or not they belong together.
   *
   * @example
   * const figures = await storage.show();
   */
  show(): Promise<StorageFigures>;
  /**
   * Joins database and folder under a new id, and gives that.
   *
   * @example
   * const id = await storage.adopt();
   */
  adopt(): Promise<string>;
  /**
   * Removes stored contents that nothing has referred to for 30 days, and marks those that follow.
   *
   * @throws store.mismatch, store.collect.refused
   * @example
   * const { orphans } = await storage.collect({ dryRun: true });
   */
  collect(options: CollectionOptions): Promise<CollectionReport>;
  /**
   * Holds the clock of this machine against what programs of it have noted.
   *
   * @param accept true: the clock is right, and is noted as such
   * @example
   * const { expectedMs } = await storage.clock(false);
   */
  clock(accept: boolean): Promise<ClockFigures>;
}

/** The clock of this machine, and what it is expected to be. */
export interface ClockFigures {
  /** Epoch milliseconds that the system shows. */
  readonly nowMs: number;
  /** Epoch milliseconds that follow from what was noted; undefined: nothing speaks against it. */
  readonly expectedMs?: number;
}
