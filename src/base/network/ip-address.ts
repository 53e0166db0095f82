import ipaddr from 'ipaddr.js';

/** An IP address: one form for each, so that texts can be compared. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network that is counted as one client, and how much more it may do than a single one. */
export interface ClientNetwork {
  /** An IPv4 address, or a network such as `2001:db8:0:1::/64`. */
  readonly key: string;
  readonly shares: number;
}

/** Bits of a prefix, and the shares of the network that it makes. */
type Width = readonly [bits: number, shares: number];

/** Networks in which an address is counted, the narrowest first. */
export interface NetworkScale {
  readonly ipv4: readonly Width[];
  readonly ipv6: readonly Width[];
}

/**
 * The default scale for rate limits. A customer with one IPv6 network usually has more of them:
 * prefixes of 64, 56 or 48 bits.
 */
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
/** The longest text of an address: IPv6 with IPv4 inside, zone, brackets and port. */
const ADDRESS_MAX = 100;

/**
 * The address in `text` in its one form: of IPv6 the shortest, without zone, and IPv4 where it is
 * only wrapped. Brackets around IPv6 and a port behind brackets or IPv4 are cut. Undefined for
 * everything else.
 *
 * @spec RFC 5952 §4, RFC 4291 §2.5.5.2
 */
export function parseIpAddress(text: string): string | undefined {
  return parse(text)?.toString();
}

/**
 * The networks that an address is counted under, the narrowest first. None for what is no address,
 * and for those of this machine: a proxy on it that nobody has named speaks for all its clients.
 */
export function clientNetworks(ip: string, scale = usualScale): readonly ClientNetwork[] {
  const address = parse(ip);
  if (address === undefined || address.range() === 'loopback') return [];
  const widths = scale[address.kind()];
  return widths.map(([bits, shares]) => ({ key: networkName(address, bits), shares }));
}

/**
 * The widest network of {@link clientNetworks}, where one client is to have a share of something;
 * undefined for this machine.
 */
export function clientShareName(ip: string | undefined): string | undefined {
  return clientNetworks(ip ?? '').at(-1)?.key;
}

/** A check whether addresses are in networks: `10.0.0.0/8`, single addresses, or words. */
export function openNetworkList(networks: readonly string[]): (ip: string) => boolean {
  const known = networks.flatMap((each) => namedNetworks[each] ?? [each]).map(parseNetwork);
  return (ip) => {
    const address = parse(ip);
    return address !== undefined && known.some((network) => isInside(address, network));
  };
}

/** Words for networks. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Addresses that are remembered: from one come many requests, which look at it several times. */
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

/** True when the address is one of the network. */
export function isInside(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match([network as ipaddr.IPv6, bits]);
}
