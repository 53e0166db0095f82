import { clientNetworks, type NetworkScale } from '../../base/network/ip-address.ts';
import { type Count, isWithin, type Tally } from '../login-bounds.ts';

/** Minimum and maximum length of a new passcode, in characters. Older ones may be shorter. */
export const passcodeLength = { least: 6, most: 128 } as const;

/** Time without a wrong passcode that clears a person's failed attempts, in milliseconds. */
const memoryMs = 24 * 3_600_000;

/** Attempts per client within a window once all clients together have failed `failures` times. */
interface TryBudget {
  readonly failures: number;
  readonly tries: number;
  readonly windowMs: number;
}

/**
 * The more failed attempts there are in total, the fewer each client is allowed. A client without
 * failed attempts is never refused: a person with the right passcode gets in from any network that
 * does not guess itself.
 */
const budgets: readonly TryBudget[] = [
  { failures: 2000, tries: 1, windowMs: 24 * 3_600_000 },
  { failures: 200, tries: 1, windowMs: 6 * 3_600_000 },
  { failures: 20, tries: 2, windowMs: 3_600_000 },
  { failures: 0, tries: 5, windowMs: 15 * 60_000 },
];

/** Weights of networks when counting guesses: addresses are cheap, so whole networks count too. */
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

/** Counter for attempts from this machine. */
const localMachine = [{ key: 'here', shares: 1 }];

/**
 * Counter of the failed attempts of all clients since the last day without one.
 *
 * @param what is guessed, such as the passcode of a person
 */
export function triesOfAll(what: string): Count {
  return { subject: what, spans: [[memoryMs, Number.POSITIVE_INFINITY]] };
}

/**
 * Counters of the attempts of one client, from its address to wider networks. `all` contains the
 * failed attempts of all clients.
 *
 * @param ip address of the client; if absent or a loopback address, the local machine counts as one
 * client
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
  return (networks.length === 0 ? localMachine : networks).map(({ key, shares }) => ({
    subject: `${what} by client ${key}`,
    // A growing window must cover attempts recorded before: retain them for the full period.
    spans: [
      [windowMs, tries * shares],
      [memoryMs, Number.POSITIVE_INFINITY],
    ],
  }));
}

/** The tally of all clients with one more attempt. */
export function withTry(all: Tally, nowMs: number): Tally {
  return { ...all, timesMs: [nowMs], count: countOfTries(all, nowMs) + 1 };
}

/** The tally of all clients minus an attempt that succeeded. */
export function withoutTry(all: Tally): Tally {
  return { ...all, count: Math.max(0, (all.count ?? 0) - 1) };
}

function countOfTries({ timesMs, count = 0 }: Tally, nowMs: number): number {
  return timesMs.some((atMs) => isWithin(atMs, memoryMs, nowMs)) ? count : 0;
}
