import { setImmediate as turn } from 'node:timers/promises';
import { defined } from '../../base/defined.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  type Customer,
  type LatestMatch,
  type ListVersion,
  type ScreeningRecord,
  unreadOf,
} from '../../domain/screening/index.ts';
import type { Job, StoredWatchlist, StoreUnit } from '../ports/index.ts';
import { type ListPorts, type OpenedLists, openLists } from './lists/index.ts';
import { markConcerned } from './mark-concerned.ts';
import { appendScreenings, pairsOf, searchPerson } from './record-screening.ts';
import { riskMonthsOf, screenedAgainAtMs } from './screening-dates.ts';

/** Dependencies of {@link rescreen}. */
export interface RescreenPorts extends ListPorts {
  random(count: number): Uint8Array;
}

/** Result of {@link rescreen}. */
export interface Rescreening {
  readonly screened: number;
  /** References of customers with a new match. */
  readonly changed: readonly string[];
  /** References of customers whose names are too long to be searched completely. */
  readonly unread: readonly string[];
  /** Lists that were searched. */
  readonly lists: readonly ListVersion[];
}

type SearchedPerson = ReturnType<typeof searchPerson>;

/** Minimum rate of a match of a customer. */
const MATCH_RATE = 75;
const BATCH = 50;
/** Maximum number of consecutive batches without any recorded screening. */
const MISSED_MAX = 10;
/** Maximum number of customers screened by one run of the job; the next run continues. */
const JOB_MAX = 1000;

/** Schedules the job that rescreens customers, if there are any. */
export async function planRescreening(
  unit: StoreUnit,
  companyKey: CompanyKey,
  atMs: number,
): Promise<void> {
  if ((await unit.customers.nextAtMs(companyKey)) === undefined) return;
  await unit.jobs.put({ kind: 'rescreen', ref: companyKey, runAtMs: atMs });
}

/** Screens the due customers and schedules the next run. */
export async function rescreenDue(job: Job, ports: RescreenPorts): Promise<void> {
  const companyKey = asKey('company', job.ref);
  const { screened } = await rescreen(ports, companyKey, JOB_MAX);
  await ports.store.write(async (unit) => {
    const isOurs = await unit.jobs.finish(job.kind, job.ref, job.owner);
    const nextAtMs = await unit.customers.nextAtMs(companyKey);
    if (!isOurs || nextAtMs === undefined) return;
    const soonest = screened < JOB_MAX ? nextAtMs : ports.now();
    await unit.jobs.put({ kind: 'rescreen', ref: companyKey, runAtMs: soonest });
  });
}

/**
 * Rescreens customers: those whom a new version of a list may concern, because of added or removed
 * entries, and those whose period is over.
 *
 * @param most maximum number of customers; the rest stays due
 * @throws screening.list.required
 */
export async function rescreen(
  ports: RescreenPorts,
  companyKey: CompanyKey,
  most = Number.POSITIVE_INFINITY,
): Promise<Rescreening> {
  await markConcerned(ports, companyKey);
  let lists = await openLists(ports, companyKey);
  const changed: string[] = [];
  const unread: string[] = [];
  let screened = 0;
  let missed = 0;
  while (screened < most && missed < MISSED_MAX) {
    const take = Math.min(BATCH, most - screened);
    const due = await ports.store.read(({ customers }) =>
      customers.due(companyKey, ports.now(), take),
    );
    if (due.length === 0) break;
    // Searches run outside a transaction. Recording the results detects concurrent changes.
    const found = new Map<string, SearchedPerson>();
    for (const customer of due) {
      found.set(customer.id, foundFor(customer, lists));
      await turn();
    }
    const done = await recordFound(ports, companyKey, { lists, most: take, found });
    if (done === undefined) {
      // A change of lists does not mark customers already due: search again, in the new lists.
      missed += 1;
      lists = await openLists(ports, companyKey);
      continue;
    }
    screened += done.length;
    for (const { reference, isNew, isUnread } of done) {
      if (isNew) changed.push(reference);
      if (isUnread) unread.push(reference);
    }
    // A different program is screening or changing the same customers; the rest stays due.
    missed = done.length === 0 ? missed + 1 : 0;
  }
  return { screened, changed, unread, lists: lists.versions };
}

interface FoundBatch {
  readonly lists: OpenedLists;
  readonly most: number;
  /** By customer ID. */
  readonly found: ReadonlyMap<string, SearchedPerson>;
}

function foundFor({ id, query, isConcerned }: Customer, lists: OpenedLists): SearchedPerson {
  const cause = isConcerned === true ? 'list' : 'period';
  const question = { query, matchRate: MATCH_RATE, cause, customerId: id } as const;
  return searchPerson(question, lists);
}

/**
 * Records the results for customers who are still due and unchanged.
 *
 * @returns undefined if the lists changed since the search; nothing is recorded then
 */
function recordFound(
  ports: RescreenPorts,
  companyKey: CompanyKey,
  { lists, most, found }: FoundBatch,
): Promise<readonly Recorded[] | undefined> {
  return ports.store.write(async (unit) => {
    await unit.companies.lock(companyKey);
    if (!areCurrent(lists, await unit.watchlists.current(companyKey))) return undefined;
    const months = await riskMonthsOf(unit, companyKey);
    const due = (await unit.customers.due(companyKey, ports.now(), most)).flatMap((customer) => {
      const own = found.get(customer.id);
      return own !== undefined && isFor(own, customer) ? [{ customer, own }] : [];
    });
    if (due.length === 0) return [];
    const records = await appendScreenings(
      unit,
      ports,
      companyKey,
      due.map(({ own }) => own.found),
    );
    return Promise.all(
      due.map(async ({ customer: { isConcerned: _, ...customer }, own }, at) => {
        const record = records[at] as ScreeningRecord;
        const matches = latestMatches(customer, record, own);
        const latest = { screeningId: record.id, atMs: record.atMs, matches };
        const nextAtMs = screenedAgainAtMs(record.atMs, months[customer.level]);
        await unit.customers.put({ ...customer, latest, nextAtMs });
        const isUnread = unreadOf(customer.query).length > 0;
        return { reference: customer.reference, isNew: hasNew(customer, matches), isUnread };
      }),
    );
  });
}

interface Recorded {
  readonly reference: string;
  /** Whether there is a new match. */
  readonly isNew: boolean;
  readonly isUnread: boolean;
}

/** The matches with a sufficient rate, each with the time since which it has existed. */
function latestMatches(
  { latest }: Customer,
  record: ScreeningRecord,
  { persons }: SearchedPerson,
): readonly LatestMatch[] {
  const pairs = pairsOf(record);
  return record.matches.flatMap(({ list, key, rate, category }, place) => {
    if (rate < MATCH_RATE) return [];
    const before = latest?.matches.find((each) => each.list === list && each.key === key);
    const sinceMs = before === undefined ? record.atMs : (before.sinceMs ?? latest?.atMs);
    const name = persons[place]?.person.names[0]?.text;
    const pair = pairs[place] as (typeof pairs)[number];
    return [{ ...pair, rate, category, ...defined({ name, sinceMs }) }];
  });
}

function areCurrent({ versions }: OpenedLists, current: readonly StoredWatchlist[]): boolean {
  const searched = versions.filter(({ isFictional }) => isFictional !== true);
  return (
    searched.length === current.length &&
    current.every(({ version: { list }, contentSha256 }) =>
      searched.some((each) => each.list === list && each.contentSha256 === contentSha256),
    )
  );
}

function isFor({ found: { query, cause } }: SearchedPerson, customer: Customer): boolean {
  const isConcerned = cause === 'list';
  return (
    JSON.stringify(query) === JSON.stringify(customer.query) &&
    isConcerned === (customer.isConcerned === true)
  );
}

function hasNew({ latest }: Customer, matches: NonNullable<Customer['latest']>['matches']) {
  const keyOf = ({ list, key, identity }: (typeof matches)[number]) =>
    JSON.stringify([list, key, identity]);
  const known = new Set(latest?.matches.map(keyOf));
  return matches.some((match) => !known.has(keyOf(match)));
}
