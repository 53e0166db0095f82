import { InnsigliError } from '../../base/errors.ts';
import { isProcessStatus } from '../../domain/process/index.ts';

/**
 * Refuses the row of a process whose status is none: no rule says what may be done with it. Lists
 * show it, since a damaged row hides no other.
 *
 * @throws store.corrupt
 */
export function requireStoredStatus(row: { readonly key: string; readonly status: string }): void {
  const { key, status } = row;
  if (isProcessStatus(status)) return;
  const message = `process ${key}: expected a process status, found "${status.slice(0, 40)}"`;
  const hint = 'check its log with innsigli activity verify, and restore a backup';
  throw new InnsigliError('store.corrupt', message, { hint });
}
