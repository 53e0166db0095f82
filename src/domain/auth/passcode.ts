import type { PersonKey } from '../keys.ts';

/** Characters of a new passcode; older ones may be shorter. */
export const passcodeLength = { least: 6, most: 128 } as const;

/** Wrong passcodes since a time: that of the first for a client, of the last one for all. */
export interface TryCount {
  readonly count: number;
  readonly sinceMs: number;
}

/** Wrong passcodes of a person are forgotten when there was none for so long. */
export const tryMemoryMs = 24 * 3_600_000;

/** What one client may try in a window while `failures` are known of everybody together. */
interface TryBudget {
  readonly failures: number;
  readonly tries: number;
  readonly windowMs: number;
}

/**
 * The more is guessed in all, the less each client may try. Nobody is refused who has not tried:
 * the person with the right passcode gets in from any place that does not guess itself.
 */
const budgets: readonly TryBudget[] = [
  { failures: 2000, tries: 1, windowMs: 24 * 3_600_000 },
  { failures: 200, tries: 1, windowMs: 6 * 3_600_000 },
  { failures: 20, tries: 2, windowMs: 3_600_000 },
  { failures: 0, tries: 5, windowMs: 15 * 60_000 },
];

/** How many times the tries of one client its networks have, from the narrowest to the widest. */
const networkFactors = [1, 3, 10];

/** Names under which a try is counted: for everybody first, then for the client, narrow to wide. */
export function tryKeys(personKey: PersonKey, client: readonly string[]): readonly string[] {
  const own = client.slice(0, networkFactors.length);
  return [personKey, ...own.map((network) => `${personKey} ${network}`)];
}

/**
 * The counts with one more try, which is counted before it is looked at; or the milliseconds
 * until this client may try again.
 *
 * @param known counts under {@link tryKeys}, in that order
 */
export function countTry(
  known: readonly (TryCount | undefined)[],
  nowMs: number,
): { readonly waitMs: number } | { readonly counts: readonly TryCount[] } {
  const [everybody, ...client] = known;
  const total = isLive(everybody, nowMs, tryMemoryMs) ? everybody.count : 0;
  const budget = budgets.find(({ failures }) => total >= failures) as TryBudget;
  const waits = client.map((each, at) => waitMs(each, at, budget, nowMs));
  const longest = Math.max(0, ...waits);
  if (longest > 0) return { waitMs: longest };
  const own = client.map((each) =>
    isLive(each, nowMs, budget.windowMs)
      ? { ...each, count: each.count + 1 }
      : { count: 1, sinceMs: nowMs },
  );
  return { counts: [{ count: total + 1, sinceMs: nowMs }, ...own] };
}

/** The counts after the right passcode: the client has tried nothing, and nobody else less. */
export function afterRightTry(known: readonly (TryCount | undefined)[]): readonly TryCount[] {
  return known.map((each, at) => {
    const { count = 0, sinceMs = 0 } = each ?? {};
    return { count: at === 1 ? 0 : Math.max(0, count - 1), sinceMs };
  });
}

function waitMs(
  known: TryCount | undefined,
  at: number,
  { tries, windowMs }: TryBudget,
  nowMs: number,
): number {
  if (!isLive(known, nowMs, windowMs)) return 0;
  const most = tries * (networkFactors[at] ?? 1);
  return known.count < most ? 0 : known.sinceMs + windowMs - nowMs;
}

// A clock that went back would make the window longer by that.
function isLive(known: TryCount | undefined, nowMs: number, windowMs: number): known is TryCount {
  if (known === undefined || known.count === 0) return false;
  const ageMs = nowMs - known.sinceMs;
  return ageMs >= 0 && ageMs < windowMs;
}
