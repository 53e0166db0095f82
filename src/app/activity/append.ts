import { CoreError } from '../../base/errors.ts';
import {
  type ChainHead,
  clockStepMaxMs,
  nextRow,
  saltOctets,
} from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { ActivityDraft, SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { ActivityPorts } from './ports.ts';

/**
 * Adds one row for each draft to the chain of `process`, inside the transaction of the change.
 * The caller holds the process locked, so that no two writers see the same head.
 *
 * @throws clock.back when the clock is more than a day behind the newest row
 */
export async function appendActivity(
  unit: StoreUnit,
  ports: Pick<ActivityPorts, 'random'>,
  process: SigningProcess,
  drafts: readonly ActivityDraft[],
  nowMs: number,
): Promise<void> {
  if (drafts.length === 0) return;
  let head: ChainHead | undefined = await requireClock(unit, process.key, nowMs);
  const salts = () => Buffer.from(ports.random(saltOctets)).toString('hex');
  for (const draft of drafts) {
    const next = nextRow(head, process, draft, nowMs, salts);
    await unit.activity.append(next.row, next.personal);
    head = next.row;
  }
}

/**
 * The newest row of a process. Asked before something leaves that could not be written down.
 *
 * @throws clock.back when the clock is more than a day behind that row
 */
export async function requireClock(
  unit: StoreUnit,
  key: ProcessKey,
  nowMs: number,
): Promise<ChainHead | undefined> {
  const head = await unit.activity.head(key);
  if (head === undefined || head.createdAtMs - nowMs <= clockStepMaxMs) return head;
  throw new CoreError(
    'clock.back',
    `expected a clock not before ${isoTime(head.createdAtMs)}, the newest row of ` +
      `${key}, found ${isoTime(nowMs)}`,
    { hint: 'set the clock of this host right; nothing was changed' },
  );
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
