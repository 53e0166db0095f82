import { loggedContents, purgedContents } from '../../domain/activity/index.ts';
import { asKey, type ProcessKey } from '../../domain/keys.ts';
import { type SigningProcess, systemActor } from '../../domain/process/index.ts';
import type { MessagePorts } from '../message/index.ts';
import type { Job, JobFailure, StoreUnit } from '../ports/index.ts';
import {
  decideIn,
  lockGroup,
  outcomeOf,
  type ProcessGroup,
  requireAccepted,
  requireGroup,
  type ServicePorts,
  saveSequence,
  settleGroup,
} from '../service/index.ts';
import { GRACE_MS } from '../storage/index.ts';

/**
 * Removes contents, messages kept as files and personal data of a process that has ended. A purged
 * process is processed again.
 *
 * @param known the process as it was just shown
 * @throws process.not_found, process.state.refused
 */
export async function purgeNow(
  ports: ServicePorts & RemovalPorts,
  known: SigningProcess,
  by: string,
): Promise<SigningProcess> {
  const { key } = known;
  const { contents, outcome } = await ports.store.write(async (unit) => {
    const group = await requireGroup(unit, ports, key, known);
    const contents = await contentsOf(unit, key);
    const refusal = await decideIn(unit, ports, group, key, { type: 'purge', contents, by });
    await settlePurged(unit, ports, group);
    // For a worker, should this program die before everything is gone.
    if (refusal === undefined) await putJob(unit, key, group.nowMs);
    const removed = purgedContents(await unit.activity.rows(key));
    return { contents: removed, outcome: outcomeOf(group, key, refusal) };
  });
  const purged = requireAccepted(outcome);
  await removeAll(ports, { kind: 'purge', ref: key }, contents);
  return purged;
}

/**
 * Removes contents and personal data of a process that has been kept long enough, as its log tells
 * it. The job ends when everything is gone: one that is done again finds what was left.
 *
 * @returns why nothing was removed
 * @throws activity.chain.broken when the process has other times, or names other contents, than
 *   its log tells of
 */
export async function purgeProcess(
  job: Job,
  ports: ServicePorts & RemovalPorts,
): Promise<JobFailure | undefined> {
  const key = asKey('process', job.ref);
  const found = await ports.store.write(async (unit) => {
    const group = await lockGroup(unit, ports, key);
    const contents = await contentsOf(unit, key);
    const command = { type: 'purgeDue', contents } as const;
    const refusal = group && (await decideIn(unit, ports, group, key, command));
    if (group !== undefined && refusal === undefined) {
      await settlePurged(unit, ports, group);
      return { contents: purgedContents(await unit.activity.rows(key)) };
    }
    // A job that nobody planned, or planned for another time.
    await unit.jobs.finish(job.kind, job.ref, job.owner);
    if (refusal?.retryAtMs !== undefined) await putJob(unit, key, refusal.retryAtMs);
    return { refusal };
  });
  if (found.contents !== undefined) await removeAll(ports, job, found.contents);
  if (found.refusal === undefined) return undefined;
  const { code, message: why, retryAtMs } = found.refusal;
  return { code, why, isFinal: retryAtMs === undefined };
}

/** As {@link settleGroup}; with the last document of a sequence goes who has started it. */
async function settlePurged(
  unit: StoreUnit,
  ports: ServicePorts,
  group: ProcessGroup,
): Promise<void> {
  await settleGroup(unit, ports, group);
  const { sequence } = group;
  if (sequence === undefined || sequence.user === systemActor) return;
  if (group.all().some(({ purgedAtMs }) => purgedAtMs === undefined)) return;
  await saveSequence(unit, group, { ...sequence, rev: sequence.rev + 1, user: systemActor });
}

/** Removes what can go now, and ends the job or puts it off until the rest can. */
async function removeAll(
  ports: RemovalPorts,
  { kind, ref, owner }: Pick<Job, 'kind' | 'ref'> & Partial<Pick<Job, 'owner'>>,
  contents: readonly string[],
): Promise<void> {
  const key = asKey('process', ref);
  const againMs = await removeContents(ports, key, contents);
  await ports.store.write(async (unit) => {
    if (againMs === undefined) await unit.jobs.finish(kind, ref, owner);
    else await putJob(unit, key, againMs);
  });
}

/**
 * The contents that a process needed. They are read from its log, up to the purge: no job and no
 * table can add contents of others. Only rows of earlier versions do not contain them.
 */
async function contentsOf(unit: StoreUnit, key: ProcessKey): Promise<readonly string[]> {
  const rows = await unit.activity.rows(key);
  return loggedContents(rows) ?? unit.contents.ofProcess(key);
}

async function putJob(unit: StoreUnit, ref: ProcessKey, runAtMs: number): Promise<void> {
  await unit.jobs.put({ kind: 'purge', ref, runAtMs });
}

/** Dependencies of the removal of a purged process. */
export type RemovalPorts = Pick<ServicePorts, 'store' | 'blobs' | 'now'> &
  Pick<MessagePorts, 'mailer' | 'sms'>;

/**
 * Removes what a purged process alone needed, at once: the document at each step, attachments, and
 * messages that are kept as files. Contents that are younger than {@link GRACE_MS} stay.
 *
 * @param contents the contents that the process needed
 * @returns when those that stayed may go; undefined when none did
 */
export async function removeContents(
  { store, blobs, now, mailer, sms }: RemovalPorts,
  key: ProcessKey,
  contents: readonly string[],
): Promise<number | undefined> {
  const messages = await store.read((unit) => unit.messages.ofProcess(key));
  const ids = messages.map(({ id }) => id);
  await mailer.forget?.(ids);
  await sms.forget?.(ids);
  const kept = new Set(await store.read((unit) => unit.processes.referenced(contents)));
  const nowMs = now();
  let isLeft = false;
  for (const name of contents) {
    if (!kept.has(name) && !(await blobs.remove(name, { ageMs: GRACE_MS }))) isLeft = true;
  }
  return isLeft ? nowMs + GRACE_MS : undefined;
}

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
