import { asKey } from '../../domain/keys.ts';
import { type SigningProcess, systemActor } from '../../domain/process/index.ts';
import type { Job, StoreUnit } from '../ports/index.ts';
import {
  decideIn,
  lockGroup,
  outcomeOf,
  requireAccepted,
  requireGroup,
  type ServicePorts,
  settleGroup,
} from '../service/index.ts';
import { isContent, type RemovalPorts, removeContents, removeUnneeded } from './remove-contents.ts';

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
    const needed = await unit.contents.ofProcess(key);
    const refusal = await decideIn(unit, ports, group, key, { type: 'purge', by });
    await settleGroup(unit, ports, group);
    // For a worker, should this program die before everything is gone.
    if (refusal === undefined) await putJobs(unit, [key, ...needed], group.nowMs);
    return { contents: needed, outcome: outcomeOf(group, key, refusal) };
  });
  const purged = requireAccepted(outcome);
  await removeContents(ports, key, contents);
  await ports.store.write((unit) => unit.jobs.finish('purge', key));
  return purged;
}

/**
 * Removes contents and personal data of a process that has been kept long enough, or one content
 * that was too young when its process was purged. The job ends when everything is gone: one that
 * is done again finds what was left.
 */
export async function purgeProcess(job: Job, ports: ServicePorts & RemovalPorts): Promise<void> {
  if (isContent(job.ref)) await removeUnneeded(ports, [job.ref]);
  else await purgeKept(job, ports);
  await ports.store.write((unit) => unit.jobs.finish(job.kind, job.ref, job.owner));
}

async function purgeKept({ ref }: Job, ports: ServicePorts & RemovalPorts): Promise<void> {
  const key = asKey('process', ref);
  const contents = await ports.store.write(async (unit) => {
    const group = await lockGroup(unit, ports, key);
    if (group === undefined) return undefined;
    const needed = await unit.contents.ofProcess(key);
    const refusal = await decideIn(unit, ports, group, key, { type: 'purge', by: systemActor });
    await settleGroup(unit, ports, group);
    if (refusal !== undefined) return undefined;
    await putJobs(unit, needed, group.nowMs);
    return needed;
  });
  if (contents !== undefined) await removeContents(ports, key, contents);
}

async function putJobs(unit: StoreUnit, refs: readonly string[], runAtMs: number): Promise<void> {
  for (const ref of refs) await unit.jobs.put({ kind: 'purge', ref, runAtMs });
}
