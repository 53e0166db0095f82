import type { Tally } from '../../domain/tally/index.ts';

/** How often something was done by or for somebody; no name of them is in the database. */
export interface Tallies {
  /** What is known of `subject`; nothing yet when there is no row. */
  find(subject: string): Promise<Tally>;
  /** As {@link find}; others who lock it wait until this transaction ends. */
  lock(subject: string): Promise<Tally>;
  /** Writes what was locked. */
  save(subject: string, tally: Tally, forgottenAtMs: number): Promise<void>;
  removeForgotten(nowMs: number): Promise<number>;
}
