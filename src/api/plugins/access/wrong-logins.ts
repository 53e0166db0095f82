import { type ClientNetwork, clientNetworks } from '../../../base/network/ip-address.ts';
import { openThrottle } from './throttle.ts';

/**
 * Failed attempts from one address, and from one address for one company, in a minute. API keys
 * have 256 bits: the limit only keeps noise off, and a client that tries each route with a wrong
 * key is told on each that it is wrong.
 */
const FAILURES_OF_ADDRESS = 300;
const FAILURES_OF_COMPANY = 100;
const WINDOW_MS = 60_000;

/** Characters of a user name that tell attempts apart. */
const USER_CHARACTERS = 64;

/** Counts wrong logins by address, and by address and company. */
export interface WrongLogins {
  /** Refuses when there were too many. @throws request.throttled */
  require(ip: string, user: string, nowMs: number): void;
  /** Counts one of this process, and tells the others. */
  count(ip: string, user: string, nowMs: number): void;
  /** Counts one of another process. */
  hear(keys: readonly string[], nowMs: number): void;
}

/** Counts of failed logins, empty at first; `tell` gets the keys of each failure. */
export function openWrongLogins(tell: (keys: readonly string[]) => void): WrongLogins {
  const byAddress = openThrottle(FAILURES_OF_ADDRESS, WINDOW_MS);
  const byCompany = openThrottle(FAILURES_OF_COMPANY, WINDOW_MS);
  // The name of a network has no blank in it.
  const counterOf = (key: string) => (key.includes(' ') ? byCompany : byAddress);
  const hear = (keys: readonly string[], nowMs: number) => {
    for (const key of keys) counterOf(key).fail(key, nowMs);
  };
  return {
    hear,
    require(ip, user, nowMs) {
      for (const { key, shares } of counted(ip, user)) counterOf(key).require(key, nowMs, shares);
    },
    count(ip, user, nowMs) {
      const keys = counted(ip, user).map(({ key }) => key);
      hear(keys, nowMs);
      tell(keys);
    },
  };
}

/** What an attempt is counted under: each network of the client, and the company in each. */
function counted(ip: string, user: string): readonly ClientNetwork[] {
  const networks = clientNetworks(ip);
  const places = networks.length === 0 ? [{ key: 'here', shares: 1 }] : networks;
  const company = user.slice(0, USER_CHARACTERS);
  return [...networks, ...places.map(({ key, shares }) => ({ key: `${key} ${company}`, shares }))];
}
