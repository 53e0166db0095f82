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

/** Processes that are read at once: others are answered between two such pages. */
const PAGE_PROCESSES = 50;

/** The log, as it is asked for. */
export const queryOperations = {
  /**
   * The log of each process of the company that the query asks for, newest process first.
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
   * The same page by page, so that nobody holds more than one of them. Each page is read when it is
   * asked for: a process that changes meanwhile is shown as it is then.
   *
   * @example
   * for await (const page of acme.activity.pages(query)) console.log(page.length);
   */
  pages: coded([], queryPages),
  /**
   * Number of processes that the filter finds.
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

/** `filter` in the words of the store. */
export function processFilter(companyKey: CompanyKey, filter: ActivityFilter): ProcessFilter {
  const { fromMs, toMs } = filter;
  return { companyKey, createdFromMs: fromMs, createdToMs: toMs, ...chosenBy(filter) };
}

/** The conditions of a filter on processes, without those on the time when they were made. */
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

/** Processes that a query of the log is about. */
export interface ActivityFilter {
  /** Processes that were made in [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
  readonly user?: string;
  readonly processKey?: ProcessKey;
  readonly flowType?: FlowType;
  readonly flowKey?: FlowKey;
  /** Part of key, file name, signee name, e-mail or phone; or a whole national number. */
  readonly search?: string;
  /** Any of these; absent: all. */
  readonly status?: readonly ProcessStatus[];
}

/** A page of the log: of its processes, newest first. */
export interface ActivityQuery extends ActivityFilter {
  readonly take: number;
  readonly skip: number;
}

/** What chooses processes, as the published query calls it. */
export type FilterWord = Exclude<FilterName, 'status'> | 'statusFilter';

/** Values of the published query, as texts; a member that is absent or empty was not given. */
type ActivityQueryInput = {
  readonly [Word in FilterWord | 'startDate' | 'endDate' | 'take' | 'skip']?: string;
};

/** Published defaults, and what one answer holds at most whatever `Take` says. */
const activityLimits = {
  takeDefault: 10_000,
  skipDefault: 0,
  takeMax: 100_000,
  /** Both are int32 on the wire. */
  numberMax: 2_147_483_647,
  searchCharacters: 256,
} as const;

/** The published filters of the log: every process, or those that a status stands for. */
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
 * The query that the texts ask for: words in any letter case, published defaults.
 *
 * @throws validation.error naming the first member that is missing or wrong
 */
export function parseActivityQuery(input: ActivityQueryInput): ActivityQuery {
  const text = (name: keyof ActivityQueryInput) => input[name]?.trim() || undefined;
  const fromMs = time(text('startDate'), 'StartDate');
  const toMs = time(text('endDate'), 'EndDate');
  if (fromMs >= toMs) {
    // The end as it was read: options call the member otherwise.
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
