import { InnsigliError } from '../../base/errors.ts';
import { isProcessStatus } from '../../domain/process/index.ts';

/**
 * Rejects the row of a process with an invalid status: no rule covers it. Lists still show it,
 * since a damaged row hides no other.
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
