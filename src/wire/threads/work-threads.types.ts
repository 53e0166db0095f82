import type { InnsigliError } from '../../base/errors.ts';

/** Work for a thread. */
export interface WorkOrder {
  /** Name of the thread's handler, which receives `value`. */
  readonly task: string;
  readonly value: object;
  /** Owner of the request. Threads are shared fairly among owners. */
  readonly owner: string;
  /** Number of bytes held in memory while the order is queued. */
  readonly lengthBytes: number;
  /** Buffers in `value` that are transferred, not copied. */
  readonly moved?: readonly ArrayBuffer[];
  /** A CPU time limit below the general deadline, and the error when it is exceeded. */
  readonly deadline?: { readonly ms: number; readonly error: () => InnsigliError };
}

/** Threads that run one order each. */
export interface WorkThreads {
  /**
   * @throws service.busy if too many orders are queued, service.timeout, and what the work throws
   */
  run(order: WorkOrder): Promise<unknown>;
  /** Terminates the threads. Calls in progress fail. */
  close(): Promise<void>;
}
