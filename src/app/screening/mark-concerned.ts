import { setImmediate as turn } from 'node:timers/promises';
import type { RiskLevel } from '../../domain/compliance/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import {
  type Customer,
  compareLists,
  engineVersion,
  type ListContent,
  nearTo,
} from '../../domain/screening/index.ts';
import type { StoredWatchlist } from '../ports/index.ts';
import { type ListPorts, openContent } from './lists/index.ts';
import { riskMonthsOf, screenedAgainAtMs } from './screening-dates.ts';

const PAGE = 1000;
/** Number of searches after which the event loop gets a turn. */
const TURN = 50;

/** The state that the customers of a company were last compared with. */
interface Compared {
  /** Digest of the content of each list, by its name. */
  readonly lists: Readonly<Record<string, string>>;
  /** Undefined if written by a version that did not record it. */
  readonly engine?: string;
  readonly months?: Readonly<Record<RiskLevel, number>>;
}

const factOf = (companyKey: CompanyKey) => `screened.${companyKey}`;

function readCompared(text: string): Compared {
  const found = JSON.parse(text) as Record<string, unknown>;
  return typeof found['lists'] === 'object'
    ? (found as unknown as Compared)
    : { lists: found as Record<string, string> };
}

/**
 * Marks customers as due if a change since the last time may concern them: a new version of a list
 * concerns some, a new version of the engine all. Changed risk periods reschedule all customers,
 * counted from the last screening; so do screenings dated in the future by an incorrect clock.
 */
export async function markConcerned(ports: ListPorts, companyKey: CompanyKey): Promise<void> {
  const fact = factOf(companyKey);
  const { stored, text, months } = await ports.store.read(async (unit) => ({
    stored: await unit.watchlists.current(companyKey),
    text: await unit.facts.find(fact),
    months: await riskMonthsOf(unit, companyKey),
  }));
  const before = text === undefined ? undefined : readCompared(text);
  const lists = Object.fromEntries(
    stored.map(({ version, contentSha256 }) => [version.list, contentSha256]),
  );
  const now = JSON.stringify({ engine: engineVersion, months, lists } satisfies Compared);
  if (now === text) return;
  const all = await allCustomers(ports, companyKey);
  const concerned = await concernedIds(ports, companyKey, before, stored, all);
  const nowMs = ports.now();
  const haveMonthsChanged =
    before?.months !== undefined && JSON.stringify(before.months) !== JSON.stringify(months);
  const change = { concerned, areOtherMonths: haveMonthsChanged, months, nowMs };
  const moved = all.filter((customer) => nextOf(customer, change) !== customer.nextAtMs);
  for (let from = 0; from < moved.length; from += PAGE) {
    await putMoved(ports, companyKey, moved.slice(from, from + PAGE), change);
  }
  await ports.store.write(async (unit) => {
    await unit.companies.lock(companyKey);
    // A faster program has already recorded this change or a later one.
    if ((await unit.facts.find(fact)) !== text) return;
    await unit.facts.put(fact, now, nowMs);
  });
}

function putMoved(
  { store }: ListPorts,
  companyKey: CompanyKey,
  moved: readonly Customer[],
  change: Change,
): Promise<void> {
  return store.write(async (unit) => {
    // Prevents changes between the following reads and writes.
    await unit.companies.lock(companyKey);
    for (const known of moved) {
      const customer = await unit.customers.findByReference(companyKey, known.reference);
      // The reference now belongs to a different customer, or to none.
      if (customer === undefined || customer.id !== known.id) continue;
      // A different program has screened the customer meanwhile, against these lists or newer ones.
      if (customer.latest?.screeningId !== known.latest?.screeningId) continue;
      const why = change.concerned.has(customer.id) ? { isConcerned: true } : {};
      // Recomputed with the current risk level.
      await unit.customers.put({ ...customer, ...why, nextAtMs: nextOf(customer, change) });
    }
  });
}

interface Change {
  /** IDs of customers whom a list or engine may concern. */
  readonly concerned: ReadonlySet<string>;
  readonly areOtherMonths: boolean;
  readonly months: Readonly<Record<RiskLevel, number>>;
  readonly nowMs: number;
}

function nextOf(
  { id, level, latest, nextAtMs, isConcerned: isMarked }: Customer,
  { concerned, areOtherMonths, months, nowMs }: Change,
): number {
  if (nextAtMs <= nowMs) return nextAtMs;
  const screenedAtMs = Math.min(nowMs, latest?.atMs ?? nowMs);
  // Due since the last screening, so that setting the clock back later delays no one.
  if (concerned.has(id) || isMarked === true) return screenedAtMs;
  if (latest === undefined) return nextAtMs;
  const isAhead = latest.atMs > nowMs;
  return areOtherMonths || isAhead ? screenedAgainAtMs(screenedAtMs, months[level]) : nextAtMs;
}

/** IDs of customers to be screened because of changes since the last time. */
async function concernedIds(
  ports: ListPorts,
  companyKey: CompanyKey,
  before: Compared | undefined,
  stored: readonly StoredWatchlist[],
  all: readonly Customer[],
): Promise<ReadonlySet<string>> {
  // A different engine yields different rates against the same lists.
  if (before !== undefined && before.engine !== engineVersion) {
    return new Set(all.map(({ id }) => id));
  }
  const known = before?.lists ?? {};
  const current = new Set(stored.map(({ version }) => version.list));
  const gone = Object.keys(known).filter((list) => !current.has(list));
  const concerned = new Set<string>();
  for (const { id, latest } of all) {
    if (latest?.matches.some(({ list }) => gone.includes(list))) concerned.add(id);
  }
  for (const each of stored) {
    const old = known[each.version.list];
    if (old === each.contentSha256) continue;
    for (const id of await concernedBy(ports, companyKey, each, old, all)) concerned.add(id);
  }
  return concerned;
}

async function allCustomers(
  { store }: ListPorts,
  companyKey: CompanyKey,
): Promise<readonly Customer[]> {
  const all: Customer[] = [];
  for (;;) {
    const after = all.at(-1)?.id ?? '';
    const page = await store.read((unit) => unit.customers.list(companyKey, after, PAGE));
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** IDs of customers whom the change of a list may concern. */
async function concernedBy(
  ports: ListPorts,
  companyKey: CompanyKey,
  list: StoredWatchlist,
  before: string | undefined,
  all: readonly Customer[],
): Promise<readonly string[]> {
  const versions = await ports.store.read((unit) =>
    unit.watchlists.versions(companyKey, list.version.list),
  );
  const old = versions.find(({ contentSha256 }) => contentSha256 === before);
  // The old version is no longer stored, so there is nothing to compare with: all are screened.
  if (old === undefined) return all.map(({ id }) => id);
  const [from, to] = [await openContent(ports, old), await openContent(ports, list)];
  return findConcerned(from, to, list.version.list, all);
}

/** Customers close to an added or changed person, or with a match of a removed or changed one. */
async function findConcerned(
  before: ListContent,
  after: ListContent,
  listName: string,
  all: readonly Customer[],
): Promise<readonly string[]> {
  const { added, changed, removed } = compareLists(before, after);
  const others = changed.flatMap(({ person, isIdentityChanged }) =>
    isIdentityChanged ? [person] : [],
  );
  const touched = new Set(
    [...changed.map(({ person }) => person), ...removed].map(({ key }) => key),
  );
  const isNear = nearTo([...added, ...others], after.index.rarity);
  const isAnybody = added.length + others.length > 0;
  const ids: string[] = [];
  for (const [at, { id, query, latest }] of all.entries()) {
    const isTouched = latest?.matches.some(
      ({ list, key }) => list === listName && touched.has(key),
    );
    if (isTouched || (isAnybody && isNear(query))) ids.push(id);
    // Each search takes a fraction of a millisecond: let other work run.
    if (at % TURN === TURN - 1) await turn();
  }
  return ids;
}
