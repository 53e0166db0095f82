import { defined } from '../../base/defined.ts';
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

type QueryPorts = Pick<ActivityPorts, 'store' | 'frontEnd'>;

/** Processes that are read at once: others are answered between two such pages. */
const PAGE_PROCESSES = 50;

/** The log of each process of the company that the query asks for, newest process first. */
export async function queryActivity(
  ports: QueryPorts,
  companyKey: CompanyKey,
  query: ActivityQuery,
): Promise<readonly ActivityLogWrapper[]> {
  const found: ActivityLogWrapper[] = [];
  for await (const page of queryActivityPages(ports, companyKey, query)) found.push(...page);
  return found;
}

/**
 * The same page by page, so that nobody holds more than one of them. Each page is read when it is
 * asked for: a process that changes meanwhile is shown as it is then.
 */
export async function* queryActivityPages(
  ports: QueryPorts,
  companyKey: CompanyKey,
  query: ActivityQuery,
): AsyncGenerator<readonly ActivityLogWrapper[]> {
  let { take: left, skip } = query;
  let filter: Omit<ProcessFilter, 'skip' | 'take'> = processFilter(companyKey, query);
  while (left > 0) {
    const take = Math.min(left, PAGE_PROCESSES);
    const { page, last } = await readPage(ports, { ...filter, take, skip });
    if (last === undefined) return;
    yield page;
    if (page.length < take) return;
    left -= take;
    skip = 0;
    filter = { ...filter, behind: last };
  }
}

async function readPage({ store, frontEnd }: QueryPorts, filter: ProcessFilter) {
  return store.read(async (unit) => {
    const processes = await unit.processes.list(filter);
    const logs = await readActivities(
      unit,
      processes.map(({ key }) => key),
    );
    const page: ActivityLogWrapper[] = [];
    for (const process of processes) {
      const entries = logs.get(process.key) ?? [];
      const persons = await sequenceSignees(unit, process, frontEnd);
      page.push(buildLogWrapper(process, entries, persons, frontEnd));
    }
    return { page, last: processes.at(-1) };
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
    ...defined({ user, processKey, flowType, flowKey, search, status }),
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
