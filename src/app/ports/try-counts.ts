import type { TryCount } from '../../domain/auth/index.ts';

/** Wrong tries, such as of a passcode, by the names that they are counted under. */
export interface TryCounts {
  /** The counts under these names, in their order. */
  find(names: readonly string[]): Promise<readonly (TryCount | undefined)[]>;
  put(counts: ReadonlyMap<string, TryCount>): Promise<void>;
  removeOld(beforeMs: number): Promise<number>;
}
