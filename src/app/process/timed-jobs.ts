import { asKey } from '../../domain/keys.ts';
import { systemActor } from '../../domain/process/index.ts';
import type { Job } from '../ports/index.ts';
import { decideIn, lockGroup, type ServicePorts, settleGroup } from '../service/index.ts';
import {
  isContent,
  type RemovalPorts,
  removeContents,
  removeUnneeded,
} from './collect-contents.ts';

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

/**
 * Removes contents and personal data of a process that has been kept long enough, or one content
 * that was too young when its process was purged.
 */
export async function purgeProcess(job: Job, ports: ServicePorts & RemovalPorts): Promise<void> {
  if (isContent(job.ref)) {
    await ports.store.write((unit) => unit.jobs.finish(job.kind, job.ref, job.owner));
    return removeUnneeded(ports, [job.ref]);
  }
  const key = asKey('process', job.ref);
  const before = await ports.store.write(async (unit) => {
    const group = await lockGroup(unit, ports, key);
    await unit.jobs.finish(job.kind, job.ref, job.owner);
    const process = group?.get(key);
    if (group === undefined || process === undefined) return undefined;
    await decideIn(unit, ports, group, key, { type: 'purge', by: systemActor });
    await settleGroup(unit, ports, group);
    return process;
  });
  if (before !== undefined) await removeContents(ports, before);
}
