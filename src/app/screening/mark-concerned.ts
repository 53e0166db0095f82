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
/** Searches after which others get their turn. */
const TURN = 50;

/** With what the customers of a company were last compared. */
interface Compared {
  /** Digest of the content of each list, by its name. */
  readonly lists: Readonly<Record<string, string>>;
  /** Absent: by a program that did not note it. */
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
 * Makes those due whom a change may concern since the last time: another version of a list, and
 * all for another engine. Other periods of risk move the dates of all, counted from the last
 * screening; and so do screenings that a wrong clock has put into the future.
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
  const areOtherMonths =
    before?.months !== undefined && JSON.stringify(before.months) !== JSON.stringify(months);
  const change = { concerned, areOtherMonths, months, nowMs };
  const moved = all.filter((customer) => nextOf(customer, change) !== customer.nextAtMs);
  for (let from = 0; from < moved.length; from += PAGE) {
    await putMoved(ports, companyKey, moved.slice(from, from + PAGE), change);
  }
  await ports.store.write(async (unit) => {
    await unit.companies.lock(companyKey);
    // Another program that was faster has seen the same change, or a later one.
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
    // Nobody changes or removes them between what is read here and what is written.
    await unit.companies.lock(companyKey);
    for (const known of moved) {
      const customer = await unit.customers.findByReference(companyKey, known.reference);
      // Another customer has the reference now, or none.
      if (customer === undefined || customer.id !== known.id) continue;
      // Another program has screened them meanwhile, on these lists or newer ones.
      if (customer.latest?.screeningId !== known.latest?.screeningId) continue;
      const why = change.concerned.has(customer.id) ? { isConcerned: true } : {};
      // By the risk that they have now.
      await unit.customers.put({ ...customer, ...why, nextAtMs: nextOf(customer, change) });
    }
  });
}

interface Change {
  /** Ids of those whom a list or engine may concern. */
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
  // Due since then, so that a clock that is put back afterwards keeps nobody waiting.
  if (concerned.has(id) || isMarked === true) return screenedAtMs;
  if (latest === undefined) return nextAtMs;
  const isAhead = latest.atMs > nowMs;
  return areOtherMonths || isAhead ? screenedAgainAtMs(screenedAtMs, months[level]) : nextAtMs;
}

/** Ids of customers to be screened because of what is another since the last time. */
async function concernedIds(
  ports: ListPorts,
  companyKey: CompanyKey,
  before: Compared | undefined,
  stored: readonly StoredWatchlist[],
  all: readonly Customer[],
): Promise<ReadonlySet<string>> {
  // Another engine gives other rates, against the same lists.
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

/** Ids of customers whom the change of a list may concern. */
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
  // Against a version that is kept no longer nothing can be compared: all are screened.
  if (old === undefined) return all.map(({ id }) => id);
  const [from, to] = [await openContent(ports, old), await openContent(ports, list)];
  return findConcerned(from, to, list.version.list, all);
}

/** Customers near a person who is new or another, or with a match of one who is gone or another. */
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
    // Each search takes some of a millisecond: others get their turn.
    if (at % TURN === TURN - 1) await turn();
  }
  return ids;
}
