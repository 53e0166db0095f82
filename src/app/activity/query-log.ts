import type { CompanyKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence/index.ts';
import type { ProcessFilter, StoreUnit } from '../ports/index.ts';
import { readActivities } from './activity-entry.ts';
import {
  type ActivityLogWrapper,
  buildLogWrapper,
  type SequenceSigneeActivityLog,
} from './log-shapes.ts';
import type { ActivityPorts } from './ports.ts';
import type { ActivityFilter, ActivityQuery } from './query-input.ts';

/** The log of each process of the company that the query asks for, newest process first. */
export function queryActivity(
  ports: Pick<ActivityPorts, 'store' | 'frontEnd'>,
  companyKey: CompanyKey,
  query: ActivityQuery,
): Promise<readonly ActivityLogWrapper[]> {
  if (query.take === 0) return Promise.resolve([]);
  return ports.store.read(async (unit) => {
    const { take, skip } = query;
    const filter = { ...processFilter(companyKey, query), take, skip };
    const processes = await unit.processes.list(filter);
    const logs = await readActivities(
      unit,
      processes.map(({ key }) => key),
    );
    const wrappers: ActivityLogWrapper[] = [];
    for (const process of processes) {
      const entries = logs.get(process.key) ?? [];
      const persons = await sequenceSignees(unit, process, ports.frontEnd);
      wrappers.push(buildLogWrapper(process, entries, persons, ports.frontEnd));
    }
    return wrappers;
  });
}

/** How many processes the filter finds. */
export function countActivity(
  ports: Pick<ActivityPorts, 'store'>,
  companyKey: CompanyKey,
  filter: ActivityFilter,
): Promise<{ readonly total: number }> {
  return ports.store.read(async (unit) => ({
    total: await unit.processes.count(processFilter(companyKey, filter)),
  }));
}

/** `filter` in the words of the store. */
export function processFilter(
  companyKey: CompanyKey,
  filter: ActivityFilter,
): Omit<ProcessFilter, 'skip' | 'take'> {
  const { fromMs, toMs, user, processKey, flowType, flowKey, search, status } = filter;
  return {
    companyKey,
    createdFromMs: fromMs,
    createdToMs: toMs,
    ...(user === undefined ? {} : { user }),
    ...(processKey === undefined ? {} : { processKey }),
    ...(flowType === undefined ? {} : { flowType }),
    ...(flowKey === undefined ? {} : { flowKey }),
    ...(search === undefined ? {} : { search }),
    ...(status === undefined ? {} : { status }),
  };
}

async function sequenceSignees(
  unit: StoreUnit,
  { sequenceKey }: SigningProcess,
  frontEnd: string,
): Promise<readonly SequenceSigneeActivityLog[]> {
  if (sequenceKey === undefined) return [];
  const sequence: Sequence | undefined = await unit.sequences.find(sequenceKey);
  return (sequence?.persons ?? []).map((person) => ({
    sequenceKey,
    signeeKey: person.key,
    url: `${frontEnd}/s/${sequenceKey}/${person.key}`,
    signingKeys: person.signingKeys.map(({ signeeKey, processKey }) => ({ signeeKey, processKey })),
  }));
}
