import {
  areAllSigned,
  keptUntilMs,
  purgedOnRequest,
  type SigningProcess,
  systemActor,
} from '../process/index.ts';
import type { Activity } from './activity.ts';
import { isWrittenAt } from './row.ts';

/** Statuses of rows after which nobody signs any more. */
const endings: readonly string[] = ['Completed', 'Canceled', 'Expired'];

/**
 * The row from which on the times that a process obeys, its end or its purge are others than those
 * that its log tells of; undefined where they agree. Rows of earlier versions tell no terms.
 */
export function otherTimes(rows: readonly Activity[], process: SigningProcess): number | undefined {
  return otherTerms(rows, process) ?? otherEnd(rows, process) ?? earlyPurge(rows, process);
}

function otherTerms(rows: readonly Activity[], process: SigningProcess): number | undefined {
  const { policy, expiresAtMs } = process;
  const kept = rows.findLast(({ terms }) => terms?.retentionDays !== undefined);
  if (kept !== undefined && kept.terms?.retentionDays !== policy.retentionDays) return kept.seq;
  const last = rows.findLast(
    ({ status, terms }) => status === 'Extended' || terms?.expiresAtMs !== undefined,
  );
  const told = last?.terms?.expiresAtMs;
  return told === undefined || told === expiresAtMs ? undefined : last?.seq;
}

function otherEnd(rows: readonly Activity[], process: SigningProcess): number | undefined {
  const { phase, endedAtMs } = process;
  const end = rows.findLast(({ status }) => endings.includes(status));
  if (end !== undefined) {
    return phase === 'Done' && isWrittenAt(end, endedAtMs) ? undefined : end.seq;
  }
  const isFinalizing = phase === 'Finalizing' || phase === 'FinalizeFailed';
  const isOther = phase === 'Done' || endedAtMs !== undefined;
  return isOther || (isFinalizing && !areAllSigned(process)) ? rows.length : undefined;
}

/** What is removed because it was kept long enough was kept that long. */
function earlyPurge(rows: readonly Activity[], process: SigningProcess): number | undefined {
  const { endedAtMs = 0 } = process;
  const purged = rows.find(({ status }) => status === 'Purged');
  const isTold = rows[0]?.terms?.retentionDays !== undefined;
  if (purged?.createdBy !== systemActor || !isTold) return undefined;
  if (purged.description?.startsWith(purgedOnRequest)) return undefined;
  return purged.createdAtMs < keptUntilMs(process, endedAtMs) ? purged.seq : undefined;
}
