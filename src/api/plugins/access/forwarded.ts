import type { IncomingMessage } from 'node:http';
import { openNetworkList, parseIpAddress } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';

/** Longer chains of proxies are made up. */
const HOPS_MAX = 20;

/**
 * Gives each request the one address that it is counted under and that stands in the evidence: that
 * of the socket, or behind proxies that are trusted what they say in `X-Forwarded-For`, from right
 * to left up to the first address that is no such proxy. What is no IP address there is not
 * believed at all.
 */
export function addClientAddress(app: ApiApp, proxies: readonly string[] = []): void {
  const addressOf = clientAddresses(proxies);
  app.addHook('onRequest', async (request) => {
    const ip = addressOf(request.raw);
    if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip });
  });
}

/** What tells the address of the client of a request that came by way of `proxies` or not. */
export function clientAddresses(
  proxies: readonly string[] = [],
): (request: IncomingMessage) => string {
  const isTrusted = openNetworkList(proxies);
  return ({ socket, headers }) => {
    // A socket that is gone has none.
    const direct = parseIpAddress(socket.remoteAddress ?? '') ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded !== 'string' || !isTrusted(direct)) return direct;
    const hops = forwarded.split(',').slice(-HOPS_MAX).reverse();
    let client = direct;
    for (const hop of hops) {
      const address = parseIpAddress(hop);
      if (address === undefined) return direct;
      client = address;
      if (!isTrusted(client)) return client;
    }
    return client;
  };
}
