import { asKey } from '../../domain/keys.ts';
import type { Job } from '../ports/index.ts';
import { applyCommand, lockGroup, type ServicePorts } from '../service/index.ts';
import { type RemovalPorts, removeContents } from './collect-contents.ts';

/** Ends a process whose time is over; one that is just being signed is looked at again. */
export async function expireProcess(job: Job, ports: ServicePorts): Promise<void> {
  const nowMs = ports.now();
  const key = asKey('process', job.ref);
  await ports.store.write(async (unit) => {
    // Everybody locks the process before the rows that belong to it.
    const process = (await lockGroup(unit, key))?.get(key);
    // Taken away before the change: that may put the next job of the same name.
    await unit.jobs.finish(job.kind, job.ref, job.owner);
    const isOpen = process?.status === 'InActive' || process?.phase === 'Open';
    if (process === undefined || !isOpen || process.status === 'Blocked') return;
    const { process: after } = await applyCommand(unit, ports, key, { type: 'expire' }, nowMs);
    if (after.status === 'Expired') return;
    const runAtMs = Math.max(after.expiresAtMs, after.lease?.untilMs ?? 0, nowMs + 1000);
    await unit.jobs.put({ kind: 'expire', ref: key, runAtMs });
  });
}

/** Removes contents and personal data of a process that has been kept long enough. */
export async function purgeProcess(job: Job, ports: ServicePorts & RemovalPorts): Promise<void> {
  const nowMs = ports.now();
  const key = asKey('process', job.ref);
  const before = await ports.store.write(async (unit) => {
    await unit.jobs.finish(job.kind, job.ref, job.owner);
    const process = await unit.processes.find(key);
    if (process === undefined) return undefined;
    await applyCommand(unit, ports, key, { type: 'purge', by: 'System' }, nowMs);
    return process;
  });
  if (before !== undefined) await removeContents(ports, before);
}
