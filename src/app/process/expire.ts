import { asKey } from '../../domain/keys.ts';
import type { Job } from '../ports/index.ts';
import { decideIn, lockGroup, type ServicePorts, settleGroup } from '../service/index.ts';

/** Ends a process whose time is over; one that is just being signed is looked at again. */
export async function expireProcess(job: Job, ports: ServicePorts): Promise<void> {
  const key = asKey('process', job.ref);
  await ports.store.write(async (unit) => {
    // Everybody locks the process before the rows that belong to it.
    const group = await lockGroup(unit, ports, key);
    // Taken away before the change: that may put the next job of the same name.
    await unit.jobs.finish(job.kind, job.ref, job.owner);
    if (group === undefined) return;
    const { status, phase } = group.get(key);
    if (status === 'Blocked' || (status !== 'InActive' && phase !== 'Open')) return;
    await decideIn(unit, ports, group, key, { type: 'expire' });
    await settleGroup(unit, ports, group);
    const after = group.get(key);
    if (after.status === 'Expired') return;
    const runAtMs = Math.max(after.expiresAtMs, after.lease?.untilMs ?? 0, group.nowMs + 1000);
    await unit.jobs.put({ kind: 'expire', ref: key, runAtMs });
  });
}
