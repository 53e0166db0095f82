import { BlockList, isIP } from 'node:net';

const closedV4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local; cloud metadata services answer at 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  closedV4.addSubnet(network, prefix, 'ipv4');
}

const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const closedV6 = new BlockList();
for (const [network, prefix] of [
  // Teredo, 6to4: they carry an IPv4 address that could be private.
  ['2001::', 32],
  ['2002::', 16],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const) {
  closedV6.addSubnet(network, prefix, 'ipv6');
}

/**
 * True when an IP address is one of the public internet: not private, loopback, link-local,
 * multicast, documentation, or an IPv6 form that wraps an IPv4 address (`::ffff:…`, NAT64, 6to4).
 *
 * @spec RFC 6890, RFC 4291 §2.5.5
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closedV4.check(address, 'ipv4');
    case 6:
      if (address.includes('%')) return false;
      return globalV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
    default:
      return false;
  }
}
