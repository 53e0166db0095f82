import type { FastifyRequest } from 'fastify';
import { openNetworkList, parseIpAddress } from '../../base/ip-address.ts';
import type { ApiApp } from '../route.ts';

/** Longer chains of proxies are made up. */
const HOPS_MAX = 20;

/**
 * Gives each request the one address that it is counted under and that stands in the evidence: that
 * of the socket, or behind proxies that are trusted what they say in `X-Forwarded-For`, from right
 * to left up to the first address that is no such proxy. What is no IP address there is not
 * believed at all.
 */
export function addClientAddress(app: ApiApp, proxies: readonly string[] = []): void {
  const isTrusted = openNetworkList(proxies);
  app.addHook('onRequest', async (request) => {
    const ip = clientAddress(request, isTrusted);
    if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip });
  });
}

function clientAddress(
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  isTrusted: (ip: string) => boolean,
): string {
  // A socket that is gone has none.
  const socket = parseIpAddress(ip ?? '') ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !isTrusted(socket)) return socket;
  const hops = forwarded.split(',').slice(-HOPS_MAX).reverse();
  let client = socket;
  for (const hop of hops) {
    const address = parseIpAddress(hop);
    if (address === undefined) return socket;
    client = address;
    if (!isTrusted(client)) return client;
  }
  return client;
}
