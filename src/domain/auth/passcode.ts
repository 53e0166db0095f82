import { clientNetworks, type NetworkScale } from '../../base/network/ip-address.ts';
import { type Count, isWithin, type Tally } from '../login-bounds.ts';

/** Characters of a new passcode; older ones may be shorter. */
export const passcodeLength = { least: 6, most: 128 } as const;

/** Time without a wrong passcode after which those of a person are forgotten, in milliseconds. */
const memoryMs = 24 * 3_600_000;

/** Tries of one client in a window while there are `failures` wrong tries of all clients. */
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

/**
 * Scale of networks for clients that guess: addresses are cheap, so larger networks are counted.
 */
const guesserScale: NetworkScale = {
  ipv4: [
    [32, 1],
    [24, 3],
  ],
  ipv6: [
    [64, 1],
    [48, 3],
    [32, 10],
  ],
};

/** Count for tries from this machine. */
const here = [{ key: 'here', shares: 1 }];

/**
 * Count of the wrong tries of all clients since the last quiet day.
 *
 * @param what is guessed, such as the passcode of a person
 */
export function triesOfAll(what: string): Count {
  return { subject: what, spans: [[memoryMs, Number.POSITIVE_INFINITY]] };
}

/**
 * Counts of the tries of one client, from narrow to wide networks, while `all` are the wrong tries
 * of all clients.
 *
 * @param ip address of the client; left out, or of this machine: all on it are one
 */
export function triesOfClient(
  what: string,
  ip: string | undefined,
  all: Tally,
  nowMs: number,
): readonly Count[] {
  const total = countOfTries(all, nowMs);
  const { tries, windowMs } = budgets.find(({ failures }) => total >= failures) as TryBudget;
  const networks = clientNetworks(ip ?? '', guesserScale);
  return (networks.length === 0 ? here : networks).map(({ key, shares }) => ({
    subject: `${what} by client ${key}`,
    // A window that gets longer looks back at what is remembered.
    spans: [
      [windowMs, tries * shares],
      [memoryMs, Number.POSITIVE_INFINITY],
    ],
  }));
}

/** The tally of everybody with one try more. */
export function withTry(all: Tally, nowMs: number): Tally {
  return { ...all, timesMs: [nowMs], count: countOfTries(all, nowMs) + 1 };
}

/** The tally of everybody without a try that was right. */
export function withoutTry(all: Tally): Tally {
  return { ...all, count: Math.max(0, (all.count ?? 0) - 1) };
}

function countOfTries({ timesMs, count = 0 }: Tally, nowMs: number): number {
  return timesMs.some((atMs) => isWithin(atMs, memoryMs, nowMs)) ? count : 0;
}
