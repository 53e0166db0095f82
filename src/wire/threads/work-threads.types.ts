import type { InnsigliError } from '../../base/errors.ts';

/** Something for a thread to do. */
export interface WorkOrder {
  /** Handler of the thread, and what it gets. */
  readonly task: string;
  readonly value: object;
  /** Owner of the request: owners take turns. */
  readonly owner: string;
  /** Bytes that wait with it. */
  readonly lengthBytes: number;
  /** Buffers in `value` that are moved away, and not copied. */
  readonly moved?: readonly ArrayBuffer[];
  /** A shorter time than that of all, of work without waiting, and the error when it is over. */
  readonly deadline?: { readonly ms: number; readonly error: () => InnsigliError };
}

/** Threads that do one order each. */
export interface WorkThreads {
  /** @throws service.busy when too much waits, service.timeout, and what the work throws */
  run(order: WorkOrder): Promise<unknown>;
  /** Ends the threads; calls in progress fail. */
  close(): Promise<void>;
}
