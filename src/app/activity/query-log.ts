import { defined } from '../../base/defined.ts';
import { integer, list, oneOf, optional, type Read, refuse } from '../../base/input.ts';
import { findTime, timeForms } from '../../base/time/iso-time.ts';
import { type FlowType, flowTypes } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey, type FlowKey, type ProcessKey } from '../../domain/keys.ts';
import {
  type ProcessStatus,
  processStatuses,
  type SigningProcess,
  statusKinds,
} from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import { coded, useCase } from '../operation.ts';
import type { FilterName, ProcessFilter, ProcessPage, StoreUnit } from '../ports/index.ts';
import { readActivities } from './activity-entry.ts';
import {
  type ActivityLogWrapper,
  buildLogWrapper,
  type SequenceSigneeActivityLog,
} from './log-shapes.ts';
import type { ActivityPorts } from './ports.ts';

type QueryPorts = Pick<ActivityPorts, 'store' | 'frontEnd'>;

/** Processes read in one transaction: other requests are served between pages. */
const PAGE_PROCESSES = 50;

/** Queries of the log. */
export const queryOperations = {
  /**
   * Returns the log of each process of the company that matches the query, newest process first.
   *
   * @example
   * const logs = await acme.activity.list(query);
   */
  list: useCase(
    [],
    async (
      ports: QueryPorts,
      companyKey,
      query: ActivityQuery,
    ): Promise<readonly ActivityLogWrapper[]> => {
      const found: ActivityLogWrapper[] = [];
      for await (const page of queryPages(ports, companyKey, query)) found.push(...page);
      return found;
    },
  ),
  /**
   * Returns the same logs page by page, so that only one page is in memory. Each page is read when
   * it is requested: a process that changes meanwhile appears in its state at that time.
   *
   * @example
   * for await (const page of acme.activity.pages(query)) console.log(page.length);
   */
  pages: coded([], queryPages),
  /**
   * Returns the number of processes that match the filter.
   *
   * @example
   * const { total } = await acme.activity.total(filter);
   */
  total: useCase(
    [],
    (
      { store }: QueryPorts,
      companyKey,
      filter: ActivityFilter,
    ): Promise<{ readonly total: number }> =>
      store.read(async ({ processes }) => ({
        total: await processes.count(processFilter(companyKey, filter)),
      })),
  ),
};

const pageNumber = integer(0, 1e9);

async function* queryPages(
  ports: QueryPorts,
  companyKey: CompanyKey,
  query: ActivityQuery,
): AsyncGenerator<readonly ActivityLogWrapper[]> {
  let left = pageNumber(query.take, 'take');
  let skip = pageNumber(query.skip, 'skip');
  let filter: ProcessFilter = processFilter(companyKey, query);
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

async function readPage({ store, frontEnd }: QueryPorts, filter: ProcessPage) {
  return store.read(async (unit) => {
    const processes = await unit.processes.list(filter);
    const keys = processes.map(({ key }) => key);
    const logs = await readActivities(unit, keys);
    const page: ActivityLogWrapper[] = [];
    for (const process of processes) {
      const entries = logs.get(process.key) ?? [];
      const persons = await sequenceSignees(unit, process, frontEnd);
      page.push(buildLogWrapper(process, entries, persons, frontEnd));
    }
    return { page, last: processes.at(-1) };
  });
}

/** Converts `filter` to the filter of the store. */
export function processFilter(companyKey: CompanyKey, filter: ActivityFilter): ProcessFilter {
  const { fromMs, toMs } = filter;
  return { companyKey, createdFromMs: fromMs, createdToMs: toMs, ...chosenBy(filter) };
}

/** The conditions of a filter on processes, except those on the creation time. */
export function chosenBy(filter: ActivityFilter): Pick<ActivityFilter, FilterName> {
  const { user, processKey, flowKey, search } = filter;
  const flowType = optional(oneOf(flowTypes))(filter.flowType, 'flowType');
  const status = optional(list(oneOf(processStatuses)))(filter.status, 'status');
  const chosen = { user, processKey, flowType, flowKey, search, status };
  return defined(chosen satisfies Record<FilterName, unknown>);
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

/** Selects the processes of a log query. */
export interface ActivityFilter {
  /** Creation time of the processes: [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
  readonly user?: string;
  readonly processKey?: ProcessKey;
  readonly flowType?: FlowType;
  readonly flowKey?: FlowKey;
  /** Substring of key, file name, signee name, e-mail or phone; or a complete national number. */
  readonly search?: string;
  /** Any of these. Absent: all. */
  readonly status?: readonly ProcessStatus[];
}

/** A page of the log; it counts processes, newest first. */
export interface ActivityQuery extends ActivityFilter {
  readonly take: number;
  readonly skip: number;
}

/** Parameters of the published query that select processes. */
export type FilterWord = Exclude<FilterName, 'status'> | 'statusFilter';

/** Values of the published query, as text. An empty member counts as absent. */
type ActivityQueryInput = {
  readonly [Word in FilterWord | 'startDate' | 'endDate' | 'take' | 'skip']?: string;
};

/** Published defaults, and the maximum of one response regardless of `Take`. */
const activityLimits = {
  takeDefault: 10_000,
  skipDefault: 0,
  takeMax: 100_000,
  /** Both are int32 on the wire. */
  numberMax: 2_147_483_647,
  searchCharacters: 256,
} as const;

/** The published status filters: all processes, or those that a status covers. */
export const statusFilters = ['All', ...processStatuses] as const;

const { takeDefault, skipDefault, takeMax, numberMax, searchCharacters } = activityLimits;
const time: Read<number> = (value, path) =>
  (value === undefined ? undefined : findTime(String(value))) ??
  refuse(path, timeForms.join(' or '), value);
const count = optional((value, path) => {
  const number = /^\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN;
  return number <= numberMax
    ? number
    : refuse(path, `a whole number from 0 to ${numberMax}`, value);
});

/**
 * Parses a query of text values: keywords in any letter case, published defaults.
 *
 * @throws validation.error naming the first member that is missing or invalid
 */
export function parseActivityQuery(input: ActivityQueryInput): ActivityQuery {
  const text = (name: keyof ActivityQueryInput) => input[name]?.trim() || undefined;
  const fromMs = time(text('startDate'), 'StartDate');
  const toMs = time(text('endDate'), 'EndDate');
  if (fromMs >= toMs) {
    // Shows the parsed end, not its name: the CLI option has a different one.
    refuse('StartDate', `a time before ${new Date(toMs).toISOString()}`, input.startDate);
  }
  const search = text('search');
  if (search !== undefined && search.length > searchCharacters) {
    refuse('Search', `at most ${searchCharacters} characters`, `${search.length} characters`);
  }
  const flowType = optional(oneOf(flowTypes))(text('flowType'), 'FlowType');
  const filter = optional(oneOf(statusFilters))(text('statusFilter'), 'StatusFilter') ?? 'All';
  const status = processStatuses.filter((each) => statusKinds[each].filters.includes(filter));
  const [processKey, flowKey] = [text('processKey'), text('flowKey')];
  const members = {
    user: text('user'),
    processKey: processKey === undefined ? undefined : asKey('process', processKey),
    flowType,
    flowKey: flowKey === undefined ? undefined : asKey('flow', flowKey),
    search,
    status: filter === 'All' ? undefined : status,
  } satisfies Record<FilterName, unknown>;
  return {
    fromMs,
    toMs,
    take: Math.min(count(text('take'), 'Take') ?? takeDefault, takeMax),
    skip: count(text('skip'), 'Skip') ?? skipDefault,
    ...defined(members),
  };
}
