import ipaddr from 'ipaddr.js';

/** A normalised IP address, so that texts can be compared. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network that counts as one client, and its limit as a multiple of that of a single client. */
export interface ClientNetwork {
  /** An IPv4 address, or a network such as `2001:db8:0:1::/64`. */
  readonly key: string;
  readonly shares: number;
}

/** Length of a prefix in bits, and the shares of such a network. */
type Width = readonly [bits: number, shares: number];

/** Networks under which an address is counted, narrowest first. */
export interface NetworkScale {
  readonly ipv4: readonly Width[];
  readonly ipv6: readonly Width[];
}

/** Default for rate limits. IPv6 customers usually have several networks, of 64, 56 or 48 bits. */
const usualScale: NetworkScale = {
  ipv4: [[32, 1]],
  ipv6: [
    [64, 1],
    [56, 4],
    [48, 16],
  ],
};

const withPort = /^(?:\[([^[\]]{2,64})\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::(\d{1,5}))?$/;
const PORT_MAX = 65_535;
/** Maximum length of an address: IPv6 with embedded IPv4, zone, brackets and port. */
const ADDRESS_MAX = 100;

/**
 * Normalises the address in `text`: IPv6 in its shortest form without zone, and as IPv4 if it is
 * mapped. Brackets around IPv6, and a port after brackets or IPv4, are removed. Undefined for
 * anything else.
 *
 * @spec RFC 5952 §4, RFC 4291 §2.5.5.2
 */
export function parseIpAddress(text: string): string | undefined {
  return parse(text)?.toString();
}

/**
 * The networks under which an address is counted, narrowest first. Empty for text that is not an
 * address, and for loopback addresses: an unconfigured local proxy represents all its clients.
 */
export function clientNetworks(ip: string, scale = usualScale): readonly ClientNetwork[] {
  const address = parse(ip);
  if (address === undefined || address.range() === 'loopback') return [];
  const widths = scale[address.kind()];
  return widths.map(([bits, shares]) => ({ key: networkName(address, bits), shares }));
}

/** Widest of {@link clientNetworks}, to limit a client's share. Undefined for this machine. */
export function clientShareName(ip: string | undefined): string | undefined {
  return clientNetworks(ip ?? '').at(-1)?.key;
}

/** Returns a test for membership in these networks: `10.0.0.0/8`, single addresses, or keywords. */
export function openNetworkList(networks: readonly string[]): (ip: string) => boolean {
  const known = networks.flatMap((each) => namedNetworks[each] ?? [each]).map(parseNetwork);
  return (ip) => {
    const address = parse(ip);
    return address !== undefined && known.some((network) => isInside(address, network));
  };
}

const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Number of cached addresses. One client sends many requests, each checked several times. */
const REMEMBERED_MAX = 1000;
const remembered = new Map<string, Address | undefined>();

function parse(text: string): Address | undefined {
  if (text.length > ADDRESS_MAX) return parseAnew(text);
  if (remembered.has(text)) return remembered.get(text);
  const address = parseAnew(text);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(text, address);
  return address;
}

function parseAnew(text: string): Address | undefined {
  const trimmed = text.trim();
  const [, inBrackets, four, port] = withPort.exec(trimmed) ?? [];
  if (port !== undefined && Number(port) > PORT_MAX) return undefined;
  const bare = (inBrackets ?? four ?? trimmed).replace(/%[\w.~-]{1,32}$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) {
    return inBrackets === undefined ? ipaddr.IPv4.parse(bare) : undefined;
  }
  if (bare.includes('%') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const six = ipaddr.IPv6.parse(bare);
  return six.isIPv4MappedAddress() ? six.toIPv4Address() : six;
}

function networkName(address: Address, bits: number): string {
  const whole = address.toByteArray();
  if (bits === 8 * whole.length) return address.toString();
  const bytes = whole.map((octet, at) => (at < bits / 8 ? octet : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

function parseNetwork(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether the address belongs to the network. */
export function isInside(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match([network as ipaddr.IPv6, bits]);
}
