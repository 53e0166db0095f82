import { InnsigliError } from '../../base/errors.ts';
import {
  childrenOf,
  contentOf,
  type DerNode,
  derOf,
  oids,
  readBoolean,
  readBytes,
  readDer,
  readNamedBits,
  readOid,
  readSequence,
  readSmallInteger,
  readText,
} from '../asn1/index.ts';

/** Bits of the keyUsage extension. @spec RFC 5280 §4.2.1.3 */
export const keyUsageBits = {
  digitalSignature: 1 << 0,
  nonRepudiation: 1 << 1,
  keyEncipherment: 1 << 2,
  dataEncipherment: 1 << 3,
  keyAgreement: 1 << 4,
  keyCertSign: 1 << 5,
  cRLSign: 1 << 6,
} as const;

/** Extensions used in path validation and sealing; absent ones are undefined or empty. */
export interface CertificateExtensions {
  /** Bits as in {@link keyUsageBits}. */
  readonly keyUsage: number | undefined;
  readonly extendedKeyUsage: readonly string[] | undefined;
  readonly extendedKeyUsageCritical: boolean;
  readonly basicConstraints: { readonly ca: boolean; readonly pathLength?: number } | undefined;
  readonly subjectKeyId: Uint8Array | undefined;
  readonly authorityKeyId: Uint8Array | undefined;
  readonly ocspUrls: readonly string[];
  readonly caIssuerUrls: readonly string[];
  readonly crlUrls: readonly string[];
  /** DistributionPoint elements of the CRL distribution points extension. */
  readonly crlDistributionPoints: readonly DerNode[];
  /** True for an OCSP responder whose own status need not be checked. @spec RFC 6960 §4.2.2.2.1 */
  readonly ocspNoCheck: boolean;
  /**
   * True if the issuer states that the certificate is too short-lived to be revoked, or that no
   * revocation data is published. @spec ETSI EN 319 412-1 §5.2.2, RFC 9608
   */
  readonly noRevocationData: boolean;
  /** Value of the name constraints extension, if present. */
  readonly nameConstraints: Uint8Array | undefined;
  /** GeneralNames of the subject alternative name extension; empty if absent. */
  readonly subjectAltNames: readonly DerNode[];
  /** Values of the four policy extensions. @spec RFC 5280 §4.2.1.4, .5, .11, .14 */
  readonly policies: {
    readonly certificatePolicies: DerNode | undefined;
    readonly policyMappings: DerNode | undefined;
    readonly policyConstraints: DerNode | undefined;
    readonly inhibitAnyPolicy: DerNode | undefined;
  };
  /** Unsupported critical extensions. */
  readonly unknownCritical: readonly string[];
}

const understood = new Set<string>([
  oids.keyUsage,
  oids.extendedKeyUsage,
  oids.basicConstraints,
  oids.subjectKeyIdentifier,
  oids.authorityKeyIdentifier,
  oids.authorityInfoAccess,
  oids.crlDistributionPoints,
  oids.ocspNoCheck,
  oids.validityAssuredShortTerm,
  oids.noRevAvail,
  oids.nameConstraints,
  oids.certificatePolicies,
  oids.policyConstraints,
  oids.policyMappings,
  oids.inhibitAnyPolicy,
  oids.subjectAltName,
  oids.issuerAltName,
  oids.qcStatements,
]);

/** Parses an Extension: its name, criticality, and the content of its octet string. */
export function readExtension(node: DerNode) {
  const parts = readSequence(node, 'extension');
  return {
    name: readOid(parts[0], 'extension name'),
    isCritical: parts[1]?.tag === 0x01 && readBoolean(parts[1]),
    content: () => readBytes(parts[parts.length - 1], 'extension value'),
  };
}

/** Parses the extensions of a certificate from the elements of its `Extensions` sequence. */
export function parseExtensions(nodes: readonly DerNode[]): CertificateExtensions {
  const found = new Map<string, { critical: boolean; value: DerNode }>();
  for (const node of nodes) {
    const { name, isCritical, content } = readExtension(node);
    const value = readDer(content());
    if (found.has(name)) throw new InnsigliError('asn1.invalid', `extension ${name} appears twice`);
    found.set(name, { critical: isCritical, value });
  }
  const value = (name: string) => found.get(name)?.value;
  const usage = value(oids.keyUsage);
  const purposes = value(oids.extendedKeyUsage);
  const keyId = value(oids.subjectKeyIdentifier);
  const constraints = value(oids.nameConstraints);
  const altNames = value(oids.subjectAltName);
  const pointList = value(oids.crlDistributionPoints);
  const points = pointList === undefined ? [] : readSequence(pointList, 'distribution points');
  return {
    keyUsage: usage === undefined ? undefined : readNamedBits(usage, 'key usage'),
    extendedKeyUsage:
      purposes === undefined
        ? undefined
        : readSequence(purposes, 'extended key usage').map((purpose) => readOid(purpose)),
    extendedKeyUsageCritical: found.get(oids.extendedKeyUsage)?.critical ?? false,
    basicConstraints: parseBasicConstraints(value(oids.basicConstraints)),
    subjectKeyId: keyId === undefined ? undefined : readBytes(keyId, 'key identifier'),
    authorityKeyId: parseAuthorityKeyId(value(oids.authorityKeyIdentifier)),
    ...parseAccess(value(oids.authorityInfoAccess)),
    crlUrls: parseDistributionPoints(points),
    crlDistributionPoints: points,
    ocspNoCheck: found.has(oids.ocspNoCheck),
    noRevocationData: found.has(oids.validityAssuredShortTerm) || found.has(oids.noRevAvail),
    nameConstraints: constraints === undefined ? undefined : derOf(constraints),
    subjectAltNames: altNames === undefined ? [] : readSequence(altNames, 'alternative names'),
    policies: {
      certificatePolicies: value(oids.certificatePolicies),
      policyMappings: value(oids.policyMappings),
      policyConstraints: value(oids.policyConstraints),
      inhibitAnyPolicy: value(oids.inhibitAnyPolicy),
    },
    unknownCritical: [...found]
      .filter(([name, entry]) => entry.critical && !understood.has(name))
      .map(([name]) => name),
  };
}

function parseBasicConstraints(
  node: DerNode | undefined,
): { readonly ca: boolean; readonly pathLength?: number } | undefined {
  if (node === undefined) return undefined;
  const parts = readSequence(node, 'basic constraints');
  const ca = parts[0]?.tag === 0x01 ? readBoolean(parts[0]) : false;
  const last = parts[parts.length - 1];
  return last?.tag === 0x02 ? { ca, pathLength: readSmallInteger(last) } : { ca };
}

function parseAuthorityKeyId(node: DerNode | undefined): Uint8Array | undefined {
  if (node === undefined) return undefined;
  const identifier = readSequence(node, 'authority key identifier').find((n) => n.tag === 0x80);
  return identifier === undefined ? undefined : contentOf(identifier);
}

function parseAccess(node: DerNode | undefined) {
  const ocspUrls: string[] = [];
  const caIssuerUrls: string[] = [];
  for (const entry of node === undefined ? [] : readSequence(node, 'authority information')) {
    const [method, location] = readSequence(entry, 'access description');
    if (location?.tag !== 0x86) continue;
    const name = readOid(method);
    if (name === oids.accessOcsp) ocspUrls.push(readText(location));
    if (name === oids.accessCaIssuers) caIssuerUrls.push(readText(location));
  }
  return { ocspUrls, caIssuerUrls };
}

/** URLs of `[0] distributionPoint { [0] fullName { [6] URI } }`; other forms are ignored. */
function parseDistributionPoints(points: readonly DerNode[]): string[] {
  const urls: string[] = [];
  for (const point of points) {
    for (const field of childrenOf(point)) {
      if (field.tag !== 0xa0) continue;
      for (const form of childrenOf(field)) {
        if (form.tag !== 0xa0) continue;
        for (const name of childrenOf(form)) if (name.tag === 0x86) urls.push(readText(name));
      }
    }
  }
  return urls;
}
