import { type ClientNetwork, clientNetworks } from '../../../base/network/ip-address.ts';
import { openThrottle } from './throttle.ts';

/**
 * Maximum number of failed attempts in a minute from one address, and from one address for one
 * company. API keys have 256 bits, so the limit only reduces noise; a client that tries each route
 * with an invalid key still gets the proper error on each.
 */
const FAILURES_OF_ADDRESS = 300;
const FAILURES_OF_COMPANY = 100;
const WINDOW_MS = 60_000;

/** Number of characters of a user name by which attempts are distinguished. */
const USER_CHARACTERS = 64;

/** Counts failed logins by address, and by address and company. */
export interface FailedLogins {
  /** Rejects if there were too many. @throws request.throttled */
  require(ip: string, user: string, nowMs: number): void;
  /** Counts a failed login of this process, and reports it to the other processes. */
  count(ip: string, user: string, nowMs: number): void;
  /** Counts a failed login reported by another process. */
  countReported(keys: readonly string[], nowMs: number): void;
}

/** Creates empty counts of failed logins; `tell` receives the keys of each failed login. */
export function openFailedLogins(tell: (keys: readonly string[]) => void): FailedLogins {
  const byAddress = openThrottle(FAILURES_OF_ADDRESS, WINDOW_MS);
  const byCompany = openThrottle(FAILURES_OF_COMPANY, WINDOW_MS);
  // Only keys with a company contain a space; names of networks do not.
  const counterOf = (key: string) => (key.includes(' ') ? byCompany : byAddress);
  const countReported = (keys: readonly string[], nowMs: number) => {
    for (const key of keys) counterOf(key).fail(key, nowMs);
  };
  return {
    countReported,
    require(ip, user, nowMs) {
      for (const { key, shares } of counted(ip, user)) counterOf(key).require(key, nowMs, shares);
    },
    count(ip, user, nowMs) {
      const keys = counted(ip, user).map(({ key }) => key);
      countReported(keys, nowMs);
      tell(keys);
    },
  };
}

/** Keys under which an attempt counts: each network of the client, and each with the company. */
function counted(ip: string, user: string): readonly ClientNetwork[] {
  const networks = clientNetworks(ip);
  const places = networks.length === 0 ? [{ key: 'here', shares: 1 }] : networks;
  const company = user.slice(0, USER_CHARACTERS);
  return [...networks, ...places.map(({ key, shares }) => ({ key: `${key} ${company}`, shares }))];
}
