import { CoreError } from '../../base/errors.ts';

/** Somebody who has a part of a budget, and never the whole. */
export interface Sharer {
  readonly key: string;
  /** How many usual shares; a network has more than one of its addresses. */
  readonly shares: number;
}

/** What takes from a budget. */
export interface Holder {
  /** Each of them must have room; none: only the whole counts. */
  readonly sharers: readonly Sharer[];
  /** Milliseconds for which the service has waited for its client; 0 while it does not. */
  waitedMs(): number;
  /** Ends what it does, and tells its client where that is possible. */
  cut(): void;
}

/** A part of a budget. */
export interface Hold {
  /** Takes more. @throws request.share.exceeded, service.busy */
  take(amount: number): void;
  /** Gives all of it back. */
  release(): void;
}

/** Something of which there is so much, and no more. */
export interface Budget {
  open(holder: Holder): Hold;
}

/** How much there is, in what it is about: bytes, connections. */
export interface BudgetSize {
  readonly whole: number;
  /** Of one sharer, for each of its shares. */
  readonly share: number;
}

/** Who keeps the service waiting for longer gives way to others. */
const WAITED_MS = 1000;
const RETRY_SECONDS = 5;

interface Entry {
  readonly holder: Holder;
  amount: number;
}

/**
 * A budget of which everybody has a share. Where there is no room left, those who have kept the
 * service waiting for longest are cut off first: what is held and not used keeps nobody away.
 */
export function openBudget({ whole, share }: BudgetSize): Budget {
  const entries = new Set<Entry>();
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
  const makeRoom = (taker: Entry, most: number, wanted: () => number, key?: string): boolean => {
    while (wanted() > most) {
      const slowest = findSlowest(entries, taker, key);
      if (slowest === undefined) return false;
      release(slowest);
      slowest.holder.cut();
    }
    return true;
  };
  const take = (entry: Entry, amount: number) => {
    for (const { key, shares } of entry.holder.sharers) {
      const most = shares * share;
      const wanted = () => (used.get(key) ?? 0) + amount;
      if (entry.amount + amount <= most && makeRoom(entry, most, wanted, key)) continue;
      throw refused('request.share.exceeded', 'the client has too much under way at once');
    }
    if (amount > whole || !makeRoom(entry, whole, () => all + amount)) {
      throw refused('service.busy', 'too much is under way');
    }
    add(entry, amount);
    entry.amount += amount;
  };
  return {
    open(holder) {
      const entry: Entry = { holder, amount: 0 };
      entries.add(entry);
      return {
        // What was cut off takes nothing any more.
        take: (amount) => (entries.has(entry) ? take(entry, amount) : undefined),
        release: () => release(entry),
      };
    },
  };
}

function findSlowest(
  entries: Iterable<Entry>,
  taker: Entry,
  key: string | undefined,
): Entry | undefined {
  let slowest: Entry | undefined;
  let mostMs = WAITED_MS;
  for (const entry of entries) {
    const isSharers = key === undefined || entry.holder.sharers.some((each) => each.key === key);
    if (entry === taker || entry.amount === 0 || !isSharers) continue;
    const waitedMs = entry.holder.waitedMs();
    if (waitedMs < mostMs) continue;
    slowest = entry;
    mostMs = waitedMs;
  }
  return slowest;
}

function refused(code: 'request.share.exceeded' | 'service.busy', why: string): CoreError {
  return new CoreError(code, why, { details: { retryAfterSeconds: RETRY_SECONDS } });
}
