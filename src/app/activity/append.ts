import { InnsigliError } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import {
  type ChainHead,
  type ChainOwner,
  clockStepMaxMs,
  type NewRow,
  nextRow,
  saltBytes,
} from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { ActivityDraft } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { ActivityPorts } from './ports.ts';

/**
 * Appends one row per draft to the chain of `process`, inside the transaction of the change. The
 * caller must hold the lock on the process, so that no two writers see the same head.
 *
 * @throws clock.back if the clock is more than a day behind the newest row
 */
export async function appendActivity(
  unit: StoreUnit,
  ports: Pick<ActivityPorts, 'random'>,
  process: ChainOwner,
  drafts: readonly ActivityDraft[],
  nowMs: number,
): Promise<void> {
  if (drafts.length === 0) return;
  const head = await requireClock(unit, process.key, nowMs);
  await unit.activity.append(rowsAfter(head, ports, process, drafts, nowMs));
}

/** Like {@link appendActivity}, for several processes. */
export async function appendActivities(
  unit: StoreUnit,
  ports: Pick<ActivityPorts, 'random'>,
  all: readonly { readonly process: ChainOwner; readonly drafts: readonly ActivityDraft[] }[],
  nowMs: number,
): Promise<void> {
  if (all.length === 0) return;
  const heads = await unit.activity.heads(all.map(({ process }) => process.key));
  const rows = all.flatMap(({ process, drafts }) => {
    const head = heads.get(process.key);
    if (!isClockSound(head, nowMs)) throw clockError(head, process.key, nowMs);
    return rowsAfter(head, ports, process, drafts, nowMs);
  });
  await unit.activity.append(rows);
}

function rowsAfter(
  head: ChainHead | undefined,
  ports: Pick<ActivityPorts, 'random'>,
  process: ChainOwner,
  drafts: readonly ActivityDraft[],
  nowMs: number,
): readonly NewRow[] {
  const salts = () => Buffer.from(ports.random(saltBytes)).toString('hex');
  let last = head;
  return drafts.map((draft) => {
    const next = nextRow(last, process, draft, nowMs, salts);
    last = next.row;
    return next;
  });
}

/** False if the clock is over a day behind the newest row, so that no row would be appended. */
export function isClockSound(
  head: Pick<ChainHead, 'createdAtMs'> | undefined,
  nowMs: number,
): boolean {
  return head === undefined || head.createdAtMs - nowMs <= clockStepMaxMs;
}

/**
 * Returns the newest row of a process. Call it before sending anything that could then not be
 * logged.
 *
 * @throws clock.back if the clock is more than a day behind that row
 */
export async function requireClock(
  unit: StoreUnit,
  key: ProcessKey,
  nowMs: number,
): Promise<ChainHead | undefined> {
  const head = await unit.activity.head(key);
  if (isClockSound(head, nowMs)) return head;
  throw clockError(head, key, nowMs);
}

function clockError(head: ChainHead | undefined, key: ProcessKey, nowMs: number): InnsigliError {
  return new InnsigliError(
    'clock.back',
    `expected a clock not before ${isoTime(head?.createdAtMs ?? 0)}, the newest entry of ` +
      `${key}, found ${isoTime(nowMs)}`,
    { hint: 'correct the clock of this host; nothing was changed' },
  );
}
