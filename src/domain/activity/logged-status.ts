import type { ProcessStatus } from '../process/index.ts';
import type { Activity } from './activity.ts';

/** What a row makes of the status of its process; other rows leave it as it is. */
const statusAfter: Readonly<Record<string, ProcessStatus>> = {
  Created: 'InActive',
  Started: 'Active',
  Blocked: 'Blocked',
  Completed: 'Completed',
  Canceled: 'Canceled',
  Expired: 'Expired',
};

/**
 * The status that a process has by its log; undefined for rows that do not begin with its making.
 * The hash of no row covers the status column itself, so it is held against this.
 */
export function loggedStatus(rows: readonly Pick<Activity, 'status'>[]): ProcessStatus | undefined {
  if (rows[0]?.status !== 'Created') return undefined;
  let status: ProcessStatus | undefined;
  let blockedFrom: ProcessStatus | undefined;
  for (const row of rows) {
    if (row.status === 'Blocked') blockedFrom = status;
    status = row.status === 'Unblocked' ? blockedFrom : (statusAfter[row.status] ?? status);
  }
  return status;
}
