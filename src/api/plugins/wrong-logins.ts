import { clientNetworks } from '../../base/ip-address.ts';
import { openThrottle } from './throttle.ts';

/**
 * Failed attempts from one address, and from one address for one company, in a minute. API keys
 * have 256 bits: what is kept off is the noise, and a client that asks each route with a wrong key
 * is told on each that it is wrong.
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

/** Nothing has failed yet; `tell` gets the keys of each failure. */
export function openWrongLogins(tell: (keys: readonly string[]) => void): WrongLogins {
  const byAddress = openThrottle(FAILURES_OF_ADDRESS, WINDOW_MS);
  const byCompany = openThrottle(FAILURES_OF_COMPANY, WINDOW_MS);
  // The name of a network has no blank in it.
  const hear = (keys: readonly string[], nowMs: number) => {
    for (const key of keys) (key.includes(' ') ? byCompany : byAddress).fail(key, nowMs);
  };
  return {
    hear,
    require(ip, user, nowMs) {
      for (const { key, share } of addressKeys(ip)) byAddress.require(key, nowMs, share);
      for (const { key, share } of companyKeys(ip, user)) byCompany.require(key, nowMs, share);
    },
    count(ip, user, nowMs) {
      const keys = [...addressKeys(ip), ...companyKeys(ip, user)].map(({ key }) => key);
      hear(keys, nowMs);
      tell(keys);
    },
  };
}

// A proxy on this machine that nobody has named would be one client for all of them.
function addressKeys(ip: string) {
  return clientNetworks(ip).map(({ name, share }) => ({ key: name, share }));
}

function companyKeys(ip: string, user: string) {
  const networks = clientNetworks(ip);
  const places = networks.length === 0 ? [{ name: 'here', share: 1 }] : networks;
  const company = user.slice(0, USER_CHARACTERS);
  return places.map(({ name, share }) => ({ key: `${name} ${company}`, share }));
}
