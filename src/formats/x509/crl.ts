import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import {
  contentOf,
  type DerNode,
  der,
  derOf,
  oids,
  readBitOctets,
  readBoolean,
  readBytes,
  readDer,
  readNode,
  readOid,
  readSequence,
  readTimeMs,
  requireTag,
} from '../asn1/index.ts';
import { authorityKeyIdentifier } from './certificate-builder.ts';
import { parsing } from './malformed.ts';
import { type SignatureAlgorithm, serializeSignatureAlgorithm } from './signature-algorithm.ts';

/** Reasons of revocation by their numbers. @spec RFC 5280 §5.3.1 */
export const revocationReasons: Readonly<Record<number, string>> = {
  0: 'unspecified',
  1: 'keyCompromise',
  2: 'cACompromise',
  3: 'affiliationChanged',
  4: 'superseded',
  5: 'cessationOfOperation',
  6: 'certificateHold',
  8: 'removeFromCRL',
  9: 'privilegeWithdrawn',
  10: 'aACompromise',
};

/** One entry of a CRL. */
export interface RevokedEntry {
  readonly revokedAtMs: number;
  /** A name of {@link revocationReasons}, when the entry gives one. */
  readonly reason?: string;
}

/** What the issuingDistributionPoint extension restricts a CRL to. @spec RFC 5280 §5.2.5 */
export interface CrlScope {
  readonly onlyUserCertificates: boolean;
  readonly onlyCaCertificates: boolean;
  readonly onlyAttributeCertificates: boolean;
  /** The CRL may hold entries of other issuers. */
  readonly indirect: boolean;
  /** Only some reasons are covered. */
  readonly onlySomeReasons: boolean;
  /** DistributionPointName, when the CRL names its distribution point. */
  readonly distributionPoint: DerNode | undefined;
}

/** A parsed CRL. Entries stay bytes until one is asked for. */
export interface CertificateList {
  readonly der: Uint8Array;
  readonly tbsDer: Uint8Array;
  readonly issuerDer: Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  readonly signatureAlgorithm: DerNode;
  readonly signature: Uint8Array;
  readonly authorityKeyId: Uint8Array | undefined;
  /** True when this lists changes to another CRL only. */
  readonly isDelta: boolean;
  readonly scope: CrlScope | undefined;
  /** Critical extensions of the list that nothing here understands. */
  readonly unknownCritical: readonly string[];
  /**
   * The entry with this serial number (content bytes), or undefined. Scans the list: about
   * 30 ns an entry, no memory.
   *
   * @throws x509.invalid when the list is damaged before the entry
   */
  findRevoked(serialNumber: Uint8Array): RevokedEntry | undefined;
}

/**
 * A CRL as a value.
 *
 * @throws x509.invalid when the bytes are not one well-formed CRL
 * @spec RFC 5280 §5.1
 */
export function parseCrl(bytes: Uint8Array): CertificateList {
  return parsing('a CRL', () => parse(bytes));
}

function parse(bytes: Uint8Array): CertificateList {
  const [tbs, signatureAlgorithm, signature] = readSequence(readDer(bytes), 'CRL');
  const fields = readSequence(tbs, 'TBSCertList');
  const version = fields[0]?.tag === 0x02 ? 1 : 0;
  const [, issuer, thisUpdate, ...rest] = fields.slice(version);
  const nextUpdate = rest[0]?.tag === 0x17 || rest[0]?.tag === 0x18 ? rest.shift() : undefined;
  const entries = rest[0]?.tag === 0x30 ? rest.shift() : undefined;
  const extensions = rest[0]?.tag === 0xa0 ? readDer(contentOf(rest[0])) : undefined;
  readSequence(issuer, 'issuer');
  readSequence(signatureAlgorithm, 'signature algorithm');
  return {
    der: bytes,
    tbsDer: derOf(tbs as DerNode),
    issuerDer: derOf(issuer as DerNode),
    thisUpdateMs: readTimeMs(thisUpdate, 'thisUpdate'),
    ...defined({
      nextUpdateMs: nextUpdate === undefined ? undefined : readTimeMs(nextUpdate, 'nextUpdate'),
    }),
    signatureAlgorithm: signatureAlgorithm as DerNode,
    signature: readBitOctets(signature, 'signature'),
    ...parseListExtensions(extensions),
    findRevoked: (serialNumber) =>
      entries === undefined
        ? undefined
        : parsing('a CRL', () => findEntry(bytes, entries, serialNumber)),
  };
}

function parseListExtensions(node: DerNode | undefined) {
  let authorityKeyId: Uint8Array | undefined;
  let isDelta = false;
  let scope: CrlScope | undefined;
  const unknownCritical: string[] = [];
  for (const extension of node === undefined ? [] : readSequence(node, 'extensions')) {
    const parts = readSequence(extension, 'extension');
    const name = readOid(parts[0], 'extension name');
    const critical = parts[1]?.tag === 0x01 && readBoolean(parts[1]);
    const value = readDer(readBytes(parts[parts.length - 1], 'extension value'));
    if (name === oids.authorityKeyIdentifier) {
      const keyId = readSequence(value, 'authority key identifier').find((n) => n.tag === 0x80);
      if (keyId !== undefined) authorityKeyId = contentOf(keyId);
    } else if (name === oids.deltaCrlIndicator) isDelta = true;
    else if (name === oids.issuingDistributionPoint) scope = parseScope(value);
    else if (critical && name !== oids.crlNumber) unknownCritical.push(name);
  }
  return { authorityKeyId, isDelta, scope, unknownCritical };
}

function parseScope(node: DerNode): CrlScope {
  const fields = readSequence(node, 'issuing distribution point');
  const field = (tag: number) => fields.find((candidate) => candidate.tag === tag);
  const flag = (tag: number) => {
    const content = field(tag);
    return content !== undefined && contentOf(content)[0] !== 0;
  };
  const point = field(0xa0);
  return {
    onlyUserCertificates: flag(0x81),
    onlyCaCertificates: flag(0x82),
    onlySomeReasons: field(0x83) !== undefined,
    indirect: flag(0x84),
    onlyAttributeCertificates: flag(0x85),
    distributionPoint: point === undefined ? undefined : readDer(contentOf(point)),
  };
}

/**
 * Walks the entries by their lengths and compares serial numbers in place.
 *
 *     30 len | 02 n  serial (n bytes) | time | [ 30 extensions ]
 */
function findEntry(
  bytes: Uint8Array,
  entries: DerNode,
  serialNumber: Uint8Array,
): RevokedEntry | undefined {
  const wanted = serialNumber.length;
  const last = serialNumber[wanted - 1];
  const end = entries.contentEnd;
  let offset = entries.contentStart;
  while (offset < end) {
    const length = bytes[offset + 1] as number;
    // Nearly every entry is short: only the others are worth a node.
    let start = offset + 2;
    let next = start + length;
    if (bytes[offset] !== 0x30 || length >= 0x80 || next > end) {
      const node = requireTag(readNode(bytes, offset, end), 0x30, 'revoked certificate');
      start = node.contentStart;
      next = node.end;
    }
    if (bytes[start] !== 0x02) requireTag(readNode(bytes, start, next), 0x02, 'serial number');
    if (bytes[start + 1] === wanted && start + 2 + wanted <= next) {
      const serialEnd = start + 2 + wanted;
      if (
        bytes[serialEnd - 1] === last &&
        equalBytes(bytes.subarray(start + 2, serialEnd), serialNumber)
      ) {
        return readEntry(readNode(bytes, offset, end));
      }
    }
    offset = next;
  }
  return undefined;
}

function readEntry(node: DerNode): RevokedEntry {
  const [, time, extensions] = readSequence(node, 'revoked certificate');
  const revokedAtMs = readTimeMs(time, 'revocation date');
  for (const extension of extensions === undefined ? [] : readSequence(extensions, 'extensions')) {
    const parts = readSequence(extension, 'extension');
    if (readOid(parts[0]) !== oids.crlReason) continue;
    const value = readDer(readBytes(parts[parts.length - 1], 'reason'));
    const code = contentOf(requireTag(value, 0x0a, 'reason'))[0] ?? 0;
    return { revokedAtMs, reason: revocationReasons[code] ?? `reason ${code}` };
  }
  return { revokedAtMs };
}

/** The content of a CRL to be. */
export interface CrlInput {
  /** Name, DER. */
  readonly issuerDer: Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
  readonly crlNumber: number;
  readonly authorityKeyId: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  readonly revoked: readonly {
    /** Content bytes. */
    readonly serialNumber: Uint8Array;
    readonly revokedAtMs: number;
    /** A number of {@link revocationReasons}. */
    readonly reasonCode?: number;
  }[];
}

/**
 * A CRL, signed by `sign` over its TBSCertList.
 *
 * @spec RFC 5280 §5.1.2, §5.2.1, §5.2.3
 */
export function buildCrl(input: CrlInput, sign: (tbsDer: Uint8Array) => Uint8Array): Uint8Array {
  const algorithm = serializeSignatureAlgorithm(input.algorithm);
  const extension = (name: string, value: Uint8Array) =>
    der.sequence(der.oid(name), der.octetString(value));
  const entries = input.revoked.map(({ serialNumber, revokedAtMs, reasonCode }) =>
    der.sequence(
      der.integerFromContent(serialNumber),
      der.certificateTime(revokedAtMs),
      ...(reasonCode === undefined
        ? []
        : [der.sequence(extension(oids.crlReason, der.enumerated(reasonCode)))]),
    ),
  );
  const tbsDer = der.sequence(
    der.smallInteger(1),
    algorithm,
    input.issuerDer,
    der.certificateTime(input.thisUpdateMs),
    der.certificateTime(input.nextUpdateMs),
    ...(entries.length === 0 ? [] : [der.element(0x30, entries)]),
    der.explicit(
      0,
      der.sequence(
        extension(oids.authorityKeyIdentifier, authorityKeyIdentifier(input.authorityKeyId)),
        extension(oids.crlNumber, der.smallInteger(input.crlNumber)),
      ),
    ),
  );
  return der.sequence(tbsDer, algorithm, der.bitString(sign(tbsDer)));
}
