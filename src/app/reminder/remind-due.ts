import { asKey } from '../../domain/keys.ts';
import type { Signee, SigningProcess } from '../../domain/process/index.ts';
import type { Job, StoreUnit } from '../ports/index.ts';
import { decideIn, lockGroup, settleGroup } from '../service/index.ts';
import type { ReminderPorts } from './ports.ts';

// A signee whose time has come but whose turn it is not is looked at again after this.
const againMs = 60 * 60 * 1000;

/**
 * Writes the reminders of a process whose time has come, with the next appointment, in one
 * transaction: killed before its end it wrote nothing, and after it the job is another one. In a
 * sequence all documents are asked at once, so that a person gets one message for them all.
 *
 * @throws store.busy, store.unavailable and other faults of the store
 */
export async function remindDue(job: Job, ports: ReminderPorts): Promise<void> {
  const key = asKey('process', job.ref);
  await ports.store.write(async (unit) => {
    const group = await lockGroup(unit, ports, key);
    // Taken away before the plan is made anew: the new appointment has the same name.
    const isOurs = await unit.jobs.finish(job.kind, job.ref, job.owner);
    if (!isOurs || group === undefined) return;
    const others = group.all().filter((each) => each.key !== key && isOpen(each));
    for (const each of [group.get(key), ...others]) {
      await decideIn(unit, ports, group, each.key, { type: 'remindDue' });
    }
    await settleGroup(unit, ports, group);
    await planNext(unit, group.get(key), group.nowMs);
  });
}

/** The decision plans the next time only when it reminded somebody. */
async function planNext(unit: StoreUnit, process: SigningProcess, nowMs: number): Promise<void> {
  if (!isOpen(process)) return;
  const times = process.signees.flatMap(dueTimes);
  if (times.length === 0) return;
  const nextAtMs = Math.min(...times);
  const runAtMs = nextAtMs > nowMs ? nextAtMs : nowMs + againMs;
  await unit.jobs.put({ kind: 'remind', ref: process.key, runAtMs });
}

function dueTimes({ state, reminder }: Signee): readonly number[] {
  const isDone = state === 'Signed' || state === 'Declined';
  return isDone || reminder?.nextAtMs === undefined ? [] : [reminder.nextAtMs];
}

function isOpen({ status, phase }: SigningProcess): boolean {
  return status === 'Active' && phase === 'Open';
}
