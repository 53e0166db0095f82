import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientNetworks } from '../../base/ip-address.ts';

/**
 * What stands for the client in limits: its address; of IPv6 the network of 64 bits, because a
 * client has all of it.
 */
export function clientOf(ip: string): string {
  return clientNetworks(ip)[0]?.name ?? ip;
}

/**
 * The client and the networks around it, narrow to wide: its address and the 256 around it; of
 * IPv6 the networks of 64, 48 and 32 bits.
 */
export function networksOf(ip: string): readonly string[] {
  const plainIp = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
  if (!isIPv6(plainIp)) {
    const [, network] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(plainIp) ?? [];
    return network === undefined ? [plainIp] : [plainIp, `${network}.0/24`];
  }
  const groups = groupsOf(plainIp);
  return [4, 3, 2].map((count) => `${groups.slice(0, count).join(':')}::/${count * 16}`);
}

function groupsOf(ip: string): readonly string[] {
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::', 2) ?? [];
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].map(plain);
}

function plain(group: string): string {
  return group.toLowerCase().replace(/^0+(?=.)/, '');
}

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
