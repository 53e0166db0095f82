import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import {
  type NetworkScale,
  openNetworkList,
  parseIpAddress,
} from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';

/**
 * Scale of networks for shared limits: bodies, downloads, connections. One customer of a provider
 * may have a network of 48 bits.
 */
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
 * True for a request made on this machine: no proxy has passed it on, and no page of another site,
 * which would name its own host. Unconfigured proxies use HTTP/1.0, or close the connection behind
 * each request.
 */
export function isFromHere({ headers, ip, raw }: Request): boolean {
  if (!isLoopback(ip) || forwarding.some((name) => headers[name] !== undefined)) return false;
  if (raw.httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === 'localhost' || isLoopback(host);
}

/** Longer chains of proxies are made up. */
const HOPS_MAX = 20;

/**
 * Sets the client address of each request, for rate limits and evidence: that of the socket, or
 * behind trusted proxies the one in `X-Forwarded-For`, from right to left up to the first address
 * that is no such proxy. Entries that are no IP addresses are ignored.
 *
 * @param unnamedProxy gets the address of the first proxy on this machine that is not named: all
 * of its clients would count as this machine, which nothing bounds
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

/** A reader of the client address of a request, whether it came by way of `proxies` or not. */
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

/** First parts of paths that are published below `/api`; clients leave that out now and then. */
const areas = /^\/(management|signing|auth|pdf|watchlist|verify)(?=[/?]|$)/i;
/** Addresses of the front end that messages and webhooks name. */
const documentPage = /^\/(sp[0-9a-f]+)\/(si[0-9a-f]+)\.pdf$/i;
const attachmentPage = /^\/attachment\/([^/]+)\/([^/]+)\/([^/]+)$/i;
const endings = /^\/api\/(pdf|management\/flow\/css)\//i;

/**
 * Origin that a proxy may put in front of a path: such requests are accepted, since their target is
 * clear.
 */
const origin = /^https?:\/\/[^/]*/i;

/**
 * The address of the route that `url` means: an origin in front is left out, slashes that come
 * twice count once, `/api` may be left out, and the downloads of the front end are those of the
 * interface.
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
  // The router would take the whole server for its root.
  if (path === '*') return '/*';
  // The router compares the ending behind a key letter by letter.
  if (endings.test(path)) return path.replace(/\.(pdf|css)(?=\/?$)/i, (end) => end.toLowerCase());
  if (path.startsWith('/api/')) return path;
  if (areas.test(path)) return routePath(`/api${path}`);
  const [, processKey, signeeKey] = documentPage.exec(path) ?? [];
  if (signeeKey !== undefined) return `/api/pdf/${processKey}/${signeeKey}.pdf`;
  const [, owner, id, name] = attachmentPage.exec(path) ?? [];
  return name === undefined ? path : `/api/signing/${owner}/attachment/${id}/fileName/${name}`;
}
