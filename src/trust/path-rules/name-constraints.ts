import { asBuffer, equalBytes } from '../../base/bytes.ts';
import {
  childrenOf,
  contentOf,
  type DerNode,
  readDer,
  readSequence,
} from '../../formats/asn1/index.ts';
import { type Certificate, comparableRdns, emailAddressesOf } from '../../formats/x509/index.ts';

/** A parsed general name. `kind` is its context tag number. */
interface GeneralName {
  readonly kind: number;
  readonly content: Uint8Array;
}
/** Context tag numbers of GeneralName. @spec RFC 5280 §4.2.1.6 */
const RFC822 = 1;
const DNS = 2;
const DIRECTORY = 4;
const URI = 6;
const IP = 7;

/** The name constraints of one CA certificate. */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
  /** True if minimum or maximum is used, which RFC 5280 forbids. */
  readonly malformed: boolean;
}

/** Maximum comparisons for one certificate: names and subtrees both come from the input. */
const MAX_COMPARISONS = 100_000;

/**
 * Parses the name constraints extension.
 *
 * @throws asn1.invalid if it is malformed
 * @spec RFC 5280 §4.2.1.10
 */
export function parseNameConstraints(der: Uint8Array): NameConstraints {
  const permitted: GeneralName[] = [];
  const excluded: GeneralName[] = [];
  let malformed = false;
  for (const field of readSequence(readDer(der), 'name constraints')) {
    const target = field.tag === 0xa0 ? permitted : excluded;
    if (field.tag !== 0xa0 && field.tag !== 0xa1) malformed = true;
    for (const subtree of childrenOf(field)) {
      const [base, ...bounds] = readSequence(subtree, 'subtree');
      if (base === undefined || bounds.length > 0) malformed = true;
      else target.push(generalName(base));
    }
  }
  return { permitted, excluded, malformed };
}

function generalName(node: DerNode): GeneralName {
  return { kind: node.tag & 0x1f, content: contentOf(node) };
}

/** Every name that a certificate claims: its subject, e-mail attributes and alternative names. */
function namesIn(certificate: Certificate): GeneralName[] {
  const names = certificate.extensions.subjectAltNames.map(generalName);
  if (certificate.subjectDer.length > 2) {
    names.push({ kind: DIRECTORY, content: certificate.subjectDer });
  }
  if (!names.some(({ kind }) => kind === RFC822)) {
    for (const address of emailAddressesOf(certificate.subjectDer)) {
      names.push({ kind: RFC822, content: Buffer.from(address, 'utf8') });
    }
  }
  return names;
}

/**
 * The name constraint that `certificate` violates; undefined if it meets all of them. A constraint
 * on an unsupported name form is violated by any name of that form.
 *
 * @spec RFC 5280 §6.1.3 (b), (c)
 */
export function checkNameConstraints(
  certificate: Certificate,
  constraints: readonly NameConstraints[],
): string | undefined {
  const names = namesIn(certificate);
  let comparisons = 0;
  for (const { permitted, excluded, malformed } of constraints) {
    if (malformed) return 'name constraints with a minimum or maximum';
    comparisons += names.length * (permitted.length + excluded.length);
    if (comparisons > MAX_COMPARISONS) return 'too many name constraints';
    for (const name of names) {
      const relevant = permitted.filter((base) => base.kind === name.kind);
      if (relevant.length > 0 && !relevant.some((base) => within(name, base) === true)) {
        return `the ${kindName(name.kind)} is not among the permitted names`;
      }
      for (const base of excluded) {
        if (base.kind === name.kind && within(name, base) !== false) {
          return `the ${kindName(name.kind)} is among the excluded names`;
        }
      }
    }
  }
  return undefined;
}

function kindName(kind: number): string {
  const known: Readonly<Record<number, string>> = {
    [RFC822]: 'e-mail address',
    [DNS]: 'DNS name',
    [DIRECTORY]: 'directory name',
    [URI]: 'URI',
    [IP]: 'IP address',
  };
  return known[kind] ?? `name of form ${kind}`;
}

/** Whether the name is within the subtree; undefined if that cannot be decided. */
function within(name: GeneralName, base: GeneralName): boolean | undefined {
  if (name.kind === DIRECTORY) return withinDirectory(name.content, base.content);
  if (name.kind === IP) return withinNetwork(name.content, base.content);
  const text = asBuffer(name.content).toString('utf8').toLowerCase();
  const limit = asBuffer(base.content).toString('utf8').toLowerCase();
  if (name.kind === DNS) return withinDomain(text, limit, true);
  if (name.kind === RFC822) {
    if (limit.includes('@')) return text === limit;
    const at = text.lastIndexOf('@');
    return at < 0 ? undefined : withinHost(text.slice(at + 1), limit);
  }
  if (name.kind === URI) {
    const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@[\]]+)(?::\d*)?(?:[/?#]|$)/.exec(
      text,
    );
    return host === null ? undefined : withinHost(host[1] as string, limit);
  }
  return undefined;
}

/** `.example.com` matches subdomains only, `example.com` that host only. */
function withinHost(host: string, limit: string): boolean {
  return limit.startsWith('.') ? withinDomain(host, limit.slice(1), false) : host === limit;
}

function withinDomain(host: string, limit: string, orEqual: boolean): boolean {
  const bare = limit.startsWith('.') ? limit.slice(1) : limit;
  if (bare === '') return true;
  return (orEqual && host === bare) || host.endsWith(`.${bare}`);
}

function withinDirectory(name: Uint8Array, base: Uint8Array): boolean | undefined {
  const rdns = comparableRdns(name);
  const baseRdns = comparableRdns(base);
  if (rdns === undefined || baseRdns === undefined) return undefined;
  return baseRdns.length <= rdns.length && baseRdns.every((rdn, index) => rdn === rdns[index]);
}

/** The address has 4 or 16 bytes, the network twice as many, with the mask as the second half. */
function withinNetwork(address: Uint8Array, network: Uint8Array): boolean | undefined {
  if (network.length !== 8 && network.length !== 32) return undefined;
  if (address.length * 2 !== network.length) return false;
  const masked = (bytes: Uint8Array) =>
    bytes.map((octet, index) => octet & (network[address.length + index] as number));
  return equalBytes(masked(address), masked(network.subarray(0, address.length)));
}
