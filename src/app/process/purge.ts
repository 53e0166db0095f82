import { loggedContents, purgedContents } from '../../domain/activity/index.ts';
import { asKey, type ProcessKey } from '../../domain/keys.ts';
import { type SigningProcess, systemActor } from '../../domain/process/index.ts';
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
import { type RemovalPorts, removeContents } from './remove-contents.ts';

/**
 * Removes contents, messages kept as files and personal data of a process that has ended. One
 * that is purged already is looked at again.
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
 * What a process needed. Its log is believed, and what it says of the purge: no job and no table
 * can add what is not its own. Only rows of earlier versions do not tell it.
 */
async function contentsOf(unit: StoreUnit, key: ProcessKey): Promise<readonly string[]> {
  const rows = await unit.activity.rows(key);
  return loggedContents(rows) ?? unit.contents.ofProcess(key);
}

async function putJob(unit: StoreUnit, ref: ProcessKey, runAtMs: number): Promise<void> {
  await unit.jobs.put({ kind: 'purge', ref, runAtMs });
}
