/** What follows from a status of a process. */
interface StatusKind {
  /** What the interface calls it, and the log where it begins. */
  readonly published: string;
  /** True when nobody signs any more. */
  readonly isEnd: boolean;
  /** A sequence has the status of the document that stands highest here: 1 before 2. */
  readonly rank: number;
  /** Published filters of the log that find it; besides, `All` finds every process. */
  readonly filters: readonly string[];
}

// To the filters, a process that has not started is active too; one that ended without all
// signatures, or is blocked, is not.
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

/** What follows from each status of a process. */
export const statusKinds: Readonly<Record<ProcessStatus, StatusKind>> = kinds;

/** Every {@link ProcessStatus}. */
export const processStatuses = Object.keys(kinds) as readonly ProcessStatus[];

/** True for a {@link ProcessStatus}: the row of a process may hold anything. */
export function isProcessStatus(status: string): status is ProcessStatus {
  return Object.hasOwn(kinds, status);
}
