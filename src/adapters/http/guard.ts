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

/** Restricts the addresses that a client may contact; never link-local or metadata addresses. */
export interface Guard {
  /**
   * The reason why `url` must not be contacted; undefined if it may be. Names are not resolved:
   * without a proxy, {@link Guard.choose} checks their addresses; with one, only the proxy resolves
   * them.
   */
  findFault(url: URL, isProxied: boolean): string | undefined;
  /** The addresses of a name that may be contacted, or the reason why none may be. */
  choose(found: readonly LookupAddress[], protocol: string): readonly LookupAddress[] | string;
}

/** For addresses configured by the operator: any except those that are never contacted. */
export const operatorGuard: Guard = guardOf(true, (address) => !isNeverContacted(address));

/**
 * For URLs in certificates, which are untrusted input: public addresses, and private ones if the
 * operator permits them, but not the ports of other services.
 */
export function certificateGuard(allowPrivate: boolean): Guard {
  const guard = guardOf(allowPrivate, (address) => mayFetch(address, allowPrivate));
  return {
    ...guard,
    findFault: (url, isProxied) => findPortFault(url) ?? guard.findFault(url, isProxied),
  };
}

/**
 * For URLs chosen by users: https to public addresses, plus whatever the operator permits. A name
 * is rejected if any of its addresses is not permitted.
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
        : 'an address is not public';
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
