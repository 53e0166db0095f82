import type { FastifyRequest } from 'fastify';
import type { NetworkScale } from '../../../base/network/ip-address.ts';

/**
 * Who shares what is held at once: bodies, downloads, connections. A network of 48 bits is what one
 * customer of a provider may have.
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
 * True for a request that somebody on this machine has made: no proxy has passed it on, and no
 * page of another site, which would name its own host. Proxies that nobody has set up speak
 * HTTP/1.0, or close the connection behind each request.
 */
export function isFromHere({ headers, ip, raw }: Request): boolean {
  if (!isLoopback(ip) || forwarding.some((name) => headers[name] !== undefined)) return false;
  if (raw.httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === 'localhost' || isLoopback(host);
}
