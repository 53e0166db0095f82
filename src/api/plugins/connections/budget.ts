import { InnsigliError } from '../../../base/errors.ts';
import { LiveSet, type Placed } from '../../../base/live/index.ts';
import type { BudgetSize } from '../../server-options.ts';

/** A sharer of a budget, such as a network or a company; never entitled to the whole. */
export interface Sharer {
  readonly key: string;
  /** Number of usual shares. A network has more shares than a single address of it. */
  readonly shares: number;
}

/** A request or response that occupies part of a budget. */
export interface Holder {
  /** Each of them must have capacity left. If empty, only the whole budget counts. */
  readonly sharers: readonly Sharer[];
  /** Remaining wait for the client, at its pace so far, in milliseconds; 0 while not waiting. */
  neededMs(): number;
  /** Ends the work, and notifies the client where that is possible. */
  cut(): void;
}

/** An occupied part of a budget. */
export interface Hold {
  /** Occupies more. @throws request.share.exceeded, service.busy */
  take(amount: number): void;
  /** Releases all of it. */
  release(): void;
}

/** A resource of limited size. */
export interface Budget {
  open(holder: Holder): Hold;
}

/**
 * Conditions for ending a request in favour of another client, by the time it still needs: it must
 * occupy at least `times` as much as that client would. A request that exceeds the request timeout
 * gives way to anyone.
 */
const EVICTION_RULES: readonly { readonly fromMs: number; readonly times: number }[] = [
  { fromMs: 120_000, times: 0 },
  { fromMs: 10_000, times: 1 },
  { fromMs: 0, times: 2 },
];
/** Number of small clients that fit in the reserved part. */
const KEPT_PARTS = 32;
const RETRY_SECONDS = 5;

interface Entry extends Placed {
  readonly holder: Holder;
  amount: number;
}

/**
 * Creates a budget with a share for everyone. When it is used up, requests give way whose clients
 * keep the service waiting: the slow ones of the largest sharer first. None is cut off unless that
 * frees enough capacity.
 */
export function openBudget({ whole, share, kept = 0 }: BudgetSize): Budget {
  const entries = new LiveSet<Entry>();
  const used = new Map<string, number>();
  let all = 0;
  const add = ({ holder: { sharers } }: Entry, amount: number) => {
    all += amount;
    for (const { key } of sharers) {
      const next = (used.get(key) ?? 0) + amount;
      if (next > 0) used.set(key, next);
      else used.delete(key);
    }
  };
  const release = (entry: Entry) => {
    if (!entries.delete(entry)) return;
    add(entry, -entry.amount);
    entry.amount = 0;
  };
  const makeRoom = (taker: Entry, amount: number, missing: number, key?: string): boolean => {
    if (missing <= 0) return true;
    const cut: Entry[] = [];
    let room = 0;
    for (const entry of evictionCandidates(entries, used, { taker, amount, key })) {
      if (room >= missing) break;
      room += entry.amount;
      cut.push(entry);
    }
    if (room < missing) return false;
    for (const entry of cut) release(entry);
    for (const { holder } of cut) holder.cut();
    return true;
  };
  const holdsLittle = ({ holder: { sharers }, amount: own }: Entry, amount: number) => {
    const held = sharers.map(({ key, shares }) => ((used.get(key) ?? 0) + amount) / shares);
    return Math.max(own + amount, ...held) <= kept / KEPT_PARTS;
  };
  const take = (entry: Entry, amount: number) => {
    for (const { key, shares } of entry.holder.sharers) {
      const most = shares * share;
      const missing = (used.get(key) ?? 0) + amount - most;
      if (entry.amount + amount <= most && makeRoom(entry, amount, missing, key)) continue;
      throw refused('request.share.exceeded', 'the client has too many requests in progress');
    }
    const most = holdsLittle(entry, amount) ? whole : whole - kept;
    if (entry.amount + amount > most || !makeRoom(entry, amount, all + amount - most)) {
      throw refused('service.busy', 'too many requests are in progress');
    }
    add(entry, amount);
    entry.amount += amount;
  };
  return {
    open(holder) {
      const entry: Entry = { place: 0, holder, amount: 0 };
      entries.add(entry);
      return {
        // A request that was cut off takes nothing more.
        take: (amount) => (entries.has(entry) ? take(entry, amount) : undefined),
        release: () => release(entry),
      };
    },
  };
}

interface BudgetRequest {
  readonly taker: Entry;
  readonly amount: number;
  /** The sharer without capacity. Undefined if the whole budget is used up. */
  readonly key: string | undefined;
}

/** Holders that give way to a request, in order. */
function evictionCandidates(
  entries: Iterable<Entry>,
  used: ReadonlyMap<string, number>,
  { taker, amount, key }: BudgetRequest,
): Entry[] {
  const found = [];
  for (const entry of entries) {
    const { sharers } = entry.holder;
    const isSharers = key === undefined || sharers.some((each) => each.key === key);
    if (entry === taker || entry.amount === 0 || !isSharers) continue;
    const neededMs = entry.holder.neededMs();
    if (neededMs === 0) continue;
    const size = sizeOf(used, entry, taker.holder);
    const rank = EVICTION_RULES.findIndex(({ fromMs }) => neededMs >= fromMs);
    const times = EVICTION_RULES[rank]?.times ?? 0;
    // A client does not displace itself for being slightly slow.
    const isLarger = () => size > 0 && size >= times * sizeOf(used, taker, entry.holder, amount);
    if (times === 0 || isLarger()) found.push({ entry, neededMs, size, rank });
  }
  found.sort((a, b) => a.rank - b.rank || b.size - a.size || b.neededMs - a.neededMs);
  return found.map(({ entry }) => entry);
}

/** The largest total of the sharers of `entry` that are not sharers of `not`. */
function sizeOf(
  used: ReadonlyMap<string, number>,
  { holder, amount }: Entry,
  not: Holder,
  more = 0,
): number {
  // A holder without sharers may represent many clients, so its own amount counts.
  if (holder.sharers.length === 0) return amount + more;
  const own = holder.sharers.filter(({ key }) => !not.sharers.some((each) => each.key === key));
  return Math.max(0, ...own.map(({ key, shares }) => ((used.get(key) ?? 0) + more) / shares));
}

function refused(code: 'request.share.exceeded' | 'service.busy', why: string): InnsigliError {
  return new InnsigliError(code, why, { details: { retryAfterSeconds: RETRY_SECONDS } });
}
