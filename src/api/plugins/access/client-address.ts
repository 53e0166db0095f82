import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import {
  type NetworkScale,
  openNetworkList,
  parseIpAddress,
} from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';

/** Network scale of shared limits: bodies, downloads, connections. A customer may have a /48. */
export const holderScale: NetworkScale = {
  ipv4: [[32, 1]],
  ipv6: [
    [64, 1],
    [48, 4],
  ],
};

/** True for an address of this machine. */
export function isLoopback(ip: string): boolean {
  return ip === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/i.test(ip);
}

type Request = Pick<FastifyRequest, 'headers' | 'ip' | 'raw'>;

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * True for a request made on this machine: it was not forwarded by a proxy, and not sent by a page
 * of another site, which would name its own host. Unconfigured proxies use HTTP/1.0, or close the
 * connection after each request.
 */
export function isFromHere({ headers, ip, raw }: Request): boolean {
  if (!isLoopback(ip) || forwarding.some((name) => headers[name] !== undefined)) return false;
  if (raw.httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === 'localhost' || isLoopback(host);
}

/** Longer chains of proxies are forged. */
const HOPS_MAX = 20;

/**
 * Sets the client address of each request, for rate limits and evidence: the address of the socket
 * or, for trusted proxies, the one in `X-Forwarded-For`, read from right to left up to the first
 * address that is not a trusted proxy. Entries that are not IP addresses are ignored.
 *
 * @param unnamedProxy receives the address of the first proxy on this machine that is not
 * configured: all of its clients would count as this machine, which has no limits
 */
export function addClientAddress(
  app: ApiApp,
  proxies: readonly string[] = [],
  unnamedProxy?: (address: string) => void,
): void {
  const addressOf = clientAddresses(proxies);
  const isNamed = openNetworkList(proxies);
  let tell = unnamedProxy;
  app.addHook('onRequest', async (request) => {
    const ip = addressOf(request.raw);
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (tell !== undefined && isForwarded && isLoopback(ip) && !isNamed(ip)) {
      tell(ip);
      tell = undefined;
    }
    if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip });
  });
}

/** Returns a function that determines a request's client address, directly or via `proxies`. */
export function clientAddresses(
  proxies: readonly string[] = [],
): (request: IncomingMessage) => string {
  const isTrusted = openNetworkList(proxies);
  return ({ socket, headers }) => {
    // A closed socket has no address.
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

/** First segments of paths that are published below `/api`; clients sometimes omit the prefix. */
const areas = /^\/(management|signing|auth|pdf|watchlist|verify)(?=[/?]|$)/i;
/** Addresses of the front end that messages and webhooks contain. */
const documentPage = /^\/(sp[0-9a-f]+)\/(si[0-9a-f]+)\.pdf$/i;
const attachmentPage = /^\/attachment\/([^/]+)\/([^/]+)\/([^/]+)$/i;
const endings = /^\/api\/(pdf|management\/flow\/css)\//i;

/** Origin that a proxy may put before a path. Accepted, since the request's target is clear. */
const origin = /^https?:\/\/[^/]*/i;

/**
 * Returns the address of the route that `url` means: a leading origin is dropped, duplicate slashes
 * count once, `/api` may be omitted, and download addresses of the front end map to those of the
 * API.
 *
 * @spec RFC 9112 §3.2.2
 */
export function routeAddress(url: string): string {
  const at = url.indexOf('?');
  const target = at === -1 ? url : url.slice(0, at);
  const given = target.startsWith('/') ? target : target.replace(origin, '') || '/';
  const path = routePath(given.includes('//') ? given.replace(/\/{2,}/g, '/') : given);
  return at === -1 ? path : path + url.slice(at);
}

function routePath(path: string): string {
  // The router would treat it as a wildcard for the whole server.
  if (path === '*') return '/*';
  // The router compares the suffix after a key case-sensitively.
  if (endings.test(path)) return path.replace(/\.(pdf|css)(?=\/?$)/i, (end) => end.toLowerCase());
  if (path.startsWith('/api/')) return path;
  if (areas.test(path)) return routePath(`/api${path}`);
  const [, processKey, signeeKey] = documentPage.exec(path) ?? [];
  if (signeeKey !== undefined) return `/api/pdf/${processKey}/${signeeKey}.pdf`;
  const [, owner, id, name] = attachmentPage.exec(path) ?? [];
  return name === undefined ? path : `/api/signing/${owner}/attachment/${id}/fileName/${name}`;
}
