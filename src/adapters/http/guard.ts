import type { LookupAddress } from 'node:dns';
import {
  type AddressPolicy,
  findAddressFault,
  findPortFault,
  findProxiedHostFault,
  findUrlFault,
  isNeverContacted,
  mayConnect,
  mayFetch,
} from '../../base/network/address-policy.ts';

/** Addresses that a client may ask; never link-local ones and those of secrets. */
export interface Guard {
  /**
   * The reason for sending nothing to `url`, or undefined. Names are not resolved: without a proxy
   * {@link Guard.choose} checks their addresses; with one only the proxy resolves them.
   */
  findFault(url: URL, isProxied: boolean): string | undefined;
  /** The addresses of a name that may be contacted, or the reason for contacting none. */
  choose(found: readonly LookupAddress[], protocol: string): readonly LookupAddress[] | string;
}

/** For addresses that the operator has chosen: any but those that are never contacted. */
export const operatorGuard: Guard = guardOf(true, (address) => !isNeverContacted(address));

/**
 * For addresses in certificates, so from anybody: public ones, and private ones where the operator
 * allows them; no ports of other services.
 */
export function certificateGuard(allowPrivate: boolean): Guard {
  const guard = guardOf(allowPrivate, (address) => mayFetch(address, allowPrivate));
  return {
    ...guard,
    findFault: (url, isProxied) => findPortFault(url) ?? guard.findFault(url, isProxied),
  };
}

/**
 * For addresses that users have chosen: https to public ones, and what the operator allows. One bad
 * address of a name among several refuses all.
 */
export function policyGuard(policy: AddressPolicy): Guard {
  return {
    findFault(url, isProxied) {
      const mayBe = (address: string) => mayConnect(url.protocol, policy.kindOf(address));
      const fault = findUrlFault(url, policy);
      if (fault !== undefined || !isProxied) return fault;
      return findProxiedHostFault(url.hostname, policy.allowsMore, mayBe);
    },
    choose(found, protocol) {
      const isSound = found.every(({ address }) => mayConnect(protocol, policy.kindOf(address)));
      if (isSound && found.length > 0) return found;
      return protocol === 'http:'
        ? 'http is only for allowed networks'
        : 'an address is not ' + 'public';
    },
  };
}

function guardOf(allowsInner: boolean, mayBe: (address: string) => boolean): Guard {
  return {
    findFault: ({ hostname }, isProxied) =>
      isProxied
        ? findProxiedHostFault(hostname, allowsInner, mayBe)
        : findAddressFault(hostname, mayBe),
    choose(found) {
      const usable = found.filter(({ address }) => mayBe(address));
      return usable.length > 0 ? usable : `${found[0]?.address ?? 'it'} is not a public address`;
    },
  };
}
