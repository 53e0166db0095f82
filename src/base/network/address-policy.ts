import ipaddr from 'ipaddr.js';
import { InnsigliError } from '../errors.ts';
import { isInside } from './ip-address.ts';

/** Category of a network address, determined before anything is sent to it. */
export type AddressKind =
  /** An address of the public internet. */
  | 'public'
  /** Not public, but permitted by the operator. */
  | 'allowed'
  /** Must not be contacted. */
  | 'refused';

/** Addresses that may be contacted in addition to the public internet. */
export interface AddressRules {
  /** Networks in CIDR notation, such as `10.1.0.0/16`. */
  readonly allowNetworks: readonly string[];
  /** Whether programs on this machine may be contacted, for development. */
  readonly allowLoopback: boolean;
}

/** {@link AddressRules} in parsed form. */
export interface AddressPolicy {
  /** The category of `address` (IPv4 or IPv6, without brackets). */
  kindOf(address: string): AddressKind;
  /** Whether non-public addresses are permitted. Only then can http be used. */
  readonly allowsMore: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

// The only IPv6 block allocated for global unicast. All special ranges in it are listed separately.
const globalV6 = ipaddr.IPv6.parseCIDR('2000::/3');

// Local-use NAT64, with prefixes of 48 to 96 bits.
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

// A public address by number, but reachable in every Azure machine, where it reveals instance data.
const wireServer = '168.63.129.16';

// Instance metadata addresses, from which cloud machines get their secrets. Always blocked.
const metadata = [
  '169.254.0.0/16',
  'fe80::/10',
  '100.96.0.96/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  `${wireServer}/32`,
  'fd00:ec2::/32',
  'fd00:42::42/128',
  'fd20:ce::/32',
].map((network) => ipaddr.parseCIDR(network));

// Complete metadata host names, with the suffixes used within the networks of cloud providers.
const metadataName =
  /^(metadata|instance-data)(\.([^.]+\.)*internal)?$|(^|\.)metadata\.goog(le\.internal)?$/;

/** Ranges that `allowPrivateAddresses` permits. */
const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'uniqueLocal',
  'carrierGradeNat',
]);

// Names used within networks, which no public name server resolves.
const innerName = /^[^.]*$|\.(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

// Ports of services that could interpret an HTTP request as their own protocol, or as an attack.
const closedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427,
  445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873,
  989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4190,
  5060, 5061, 5432, 5900, 5984, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042,
  9200, 9300, 10080, 11211, 27017,
]);

/**
 * Whether an address in a certificate may be contacted: a public address, or with `allowPrivate` an
 * address in a private network or on this machine. Link-local and instance metadata addresses are
 * never permitted, in any notation.
 */
export function mayFetch(address: string, allowPrivate: boolean): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined || isMetadata(parsed)) return false;
  if (isPublic(parsed)) return true;
  return allowPrivate && privateRanges.has((embedded(parsed) ?? parsed).range());
}

/** True for an address that is never contacted: link-local, instance metadata or invalid. */
export function isNeverContacted(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed === undefined || isMetadata(parsed);
}

/** Reason for not contacting `host` if it is an address that `mayBe` rejects; else undefined. */
export function findAddressFault(
  host: string,
  mayBe: (address: string) => boolean,
): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) && !mayBe(bare) ? `${bare} is not a public address` : undefined;
}

/**
 * The reason for not requesting `host` from a proxy, or undefined. Names are resolved only by the
 * proxy: names of internal networks are not sent to it unless these networks are permitted.
 *
 * @param mayBe checks a host that is an address
 */
export function findProxiedHostFault(
  host: string,
  allowsInner: boolean,
  mayBe: (address: string) => boolean,
): string | undefined {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(bare)) return mayBe(bare) ? undefined : 'it is not a public address';
  // Resolvers handle an empty label differently.
  if (bare.split('.').includes('')) return 'it is not a well-formed name';
  if (metadataName.test(bare)) return 'it is the name of a metadata service';
  return allowsInner || !innerName.test(bare) ? undefined : 'it is a name of an internal network';
}

/** The reason for rejecting the port of `url`, or undefined. */
export function findPortFault({ port }: URL): string | undefined {
  return port !== '' && closedPorts.has(Number(port)) ? `port ${port} is not allowed` : undefined;
}

/** Parses the policy for `rules`. @throws config.invalid if a network is malformed */
export function openAddressPolicy(rules: AddressRules): AddressPolicy {
  const networks = rules.allowNetworks.map(parseNetwork);
  return {
    allowsMore: rules.allowLoopback || networks.length > 0,
    kindOf(address) {
      const parsed = parseAddress(address);
      if (parsed === undefined || isMetadata(parsed)) return 'refused';
      if (rules.allowLoopback && parsed.range() === 'loopback') return 'allowed';
      if (networks.some((network) => isInside(parsed, network))) return 'allowed';
      return isPublic(parsed) ? 'public' : 'refused';
    },
  };
}

/**
 * The reason for not contacting `url`, or undefined. Host names are not resolved here: the
 * connecting code must check the resulting addresses, see {@link mayConnect}.
 */
export function findUrlFault(url: URL, policy: AddressPolicy): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `expected https, found ${url.protocol}`;
  }
  if (url.username !== '' || url.password !== '') return 'it contains credentials';
  if (url.hostname === '') return 'it has no host';
  const portFault = findPortFault(url);
  if (portFault !== undefined) return portFault;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) {
    const isOpen = url.protocol === 'https:' || policy.allowsMore;
    return isOpen ? undefined : 'expected https, found http:';
  }
  if (mayConnect(url.protocol, policy.kindOf(host))) return undefined;
  if (policy.kindOf(host) === 'public') return 'expected https, found http:';
  return 'it is not an address of the public internet';
}

/** Whether an address of `kind` may be contacted; without TLS, only if the operator allows it. */
export function mayConnect(protocol: string, kind: AddressKind): boolean {
  return kind === 'allowed' || (kind === 'public' && protocol === 'https:');
}

function parseAddress(text: string): Address | undefined {
  if (text.includes('%')) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function isMetadata(address: Address): boolean {
  const all = [address, ...wrapped(address)];
  return metadata.some((network) => all.some((each) => isInside(each, network)));
}

/**
 * All IPv4 addresses to which a tunnel or translator could map an IPv6 address: in addition to
 * {@link embedded}, those of Teredo, ISATAP and a local-use NAT64.
 *
 * @spec RFC 4380 §4, RFC 5214 §6.1, RFC 8215, RFC 6052 §2.2
 */
function wrapped(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [];
  const bytes = address.toByteArray();
  const at = (...places: number[]) => ipaddr.fromByteArray(places.map((n) => bytes[n] as number));
  const found: Address[] = [];
  const inner = embedded(address);
  if (inner !== undefined) found.push(inner);
  if (address.range() === 'teredo') {
    const client = bytes.slice(12).map((octet) => octet ^ 0xff);
    found.push(at(4, 5, 6, 7), ipaddr.fromByteArray(client));
  }
  const isIsatap = [0x00, 0x02].includes(bytes[8] as number) && bytes[9] === 0;
  if (isIsatap && bytes[10] === 0x5e && bytes[11] === 0xfe) found.push(at(12, 13, 14, 15));
  if (address.match(localNat64)) {
    found.push(at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), at(12, 13, 14, 15));
  }
  return found;
}

/** The IPv4 address embedded in an IPv6 address. @spec RFC 4291 §2.5.5, RFC 6052, RFC 3056 §2 */
function embedded(address: Address): Address | undefined {
  if (address.kind() === 'ipv4') return undefined;
  const bytes = address.toByteArray();
  const at = address.range() === '6to4' ? 2 : 12;
  const isWrapped =
    at === 2 ||
    ['ipv4Mapped', 'rfc6145', 'rfc6052'].includes(address.range()) ||
    bytes.slice(0, 12).every((octet) => octet === 0);
  return isWrapped ? ipaddr.fromByteArray(bytes.slice(at, at + 4)) : undefined;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === wireServer) return false;
  return address.kind() === 'ipv4' || address.match(globalV6);
}

function parseNetwork(text: string): [Address, number] {
  try {
    return ipaddr.parseCIDR(text);
  } catch (cause) {
    const message = `allowNetworks: expected a network such as 10.1.0.0/16, found "${text}"`;
    throw new InnsigliError('config.invalid', message, { cause });
  }
}
