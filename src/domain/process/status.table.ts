interface StatusKind {
  /** Name in the interface, and the status of the log row that starts it. */
  readonly published: string;
  /** True if no one can sign any more. */
  readonly isEnd: boolean;
  /** A sequence has the status of its document with the lowest rank. */
  readonly rank: number;
  /** Published filters of the log that match it. `All` matches every process as well. */
  readonly filters: readonly string[];
}

// The filter `Active` also matches processes that have not started; `InActive` matches those that
// are blocked or ended without all signatures.
const kinds = {
  InActive: { published: 'Created', isEnd: false, rank: 3, filters: ['Active'] },
  Active: { published: 'Started', isEnd: false, rank: 2, filters: ['Active'] },
  Completed: { published: 'Completed', isEnd: true, rank: 6, filters: ['Completed'] },
  Expired: { published: 'Expired', isEnd: true, rank: 4, filters: ['InActive', 'Expired'] },
  Canceled: { published: 'Canceled', isEnd: true, rank: 5, filters: ['InActive', 'Canceled'] },
  Blocked: { published: 'Blocked', isEnd: false, rank: 1, filters: ['InActive', 'Blocked'] },
} as const satisfies Readonly<Record<string, StatusKind>>;

/** Public status of a process. */
export type ProcessStatus = keyof typeof kinds;

/** Properties of each status of a process. */
export const statusKinds: Readonly<Record<ProcessStatus, StatusKind>> = kinds;

/** Every {@link ProcessStatus}. */
export const processStatuses = Object.keys(kinds) as readonly ProcessStatus[];

/** Whether `status` is a {@link ProcessStatus}: a stored row may contain anything. */
export function isProcessStatus(status: string): status is ProcessStatus {
  return Object.hasOwn(kinds, status);
}
