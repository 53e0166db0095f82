import { hexOf } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  contentOf,
  type DerNode,
  der,
  derOf,
  namedBitsIn,
  oids,
  readBitOctets,
  readDer,
  readIntegerBytes,
  readSequence,
  readTimeMs,
} from '../asn1/index.ts';
import { authorityKeyIdentifier } from './certificate-builder.ts';
import {
  findEntry,
  findIndirectEntry,
  findUnknownCritical,
  type RevokedEntry,
} from './crl-entries.ts';
import { readExtension } from './extensions.ts';
import { parsing } from './malformed.ts';
import { type SignatureAlgorithm, serializeSignatureAlgorithm } from './signature-algorithm.ts';

/** Restrictions in the issuingDistributionPoint extension of a CRL. @spec RFC 5280 §5.2.5 */
export interface CrlScope {
  readonly onlyUserCertificates: boolean;
  readonly onlyCaCertificates: boolean;
  readonly onlyAttributeCertificates: boolean;
  /** Whether the CRL may contain entries of other issuers. */
  readonly indirect: boolean;
  /** Bits of the covered reasons, such as 1 << 1 for keyCompromise; undefined: all. */
  readonly reasons: number | undefined;
  /** DistributionPointName, if the CRL names its distribution point. */
  readonly distributionPoint: DerNode | undefined;
}

/** A parsed CRL. Entries are parsed on demand. */
export interface CertificateList {
  readonly der: Uint8Array;
  readonly tbsDer: Uint8Array;
  readonly issuerDer: Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  readonly signatureAlgorithm: DerNode;
  readonly signature: Uint8Array;
  readonly authorityKeyId: Uint8Array | undefined;
  readonly crlNumber: bigint | undefined;
  /** Number of the CRL that a delta CRL updates; undefined for a complete CRL. */
  readonly baseCrlNumber: bigint | undefined;
  readonly scope: CrlScope | undefined;
  /** The issuingDistributionPoint extension, unchanged: a delta CRL repeats that of its base. */
  readonly scopeDer: Uint8Array | undefined;
  /** Unsupported critical extensions of the list. */
  readonly unknownCritical: readonly string[];
  /**
   * Returns the entry with this serial number (content bytes), or undefined. Scans the list: about
   * 30 ns per entry, no allocation.
   *
   * @param issuerDer issuer of the certificate, for an indirect CRL. Default: that of the list
   * @throws x509.invalid if the list is damaged before the entry
   */
  findRevoked(serialNumber: Uint8Array, issuerDer?: Uint8Array): RevokedEntry | undefined;
  /**
   * Returns an unsupported critical extension of an entry; cached.
   *
   * @throws x509.invalid if the list is damaged
   */
  unknownCriticalEntry(): string | undefined;
}

/**
 * Parses a CRL.
 *
 * @throws x509.invalid if the bytes are not one well-formed CRL
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
  const issuerDer = derOf(issuer as DerNode);
  const known = parseListExtensions(extensions);
  return {
    der: bytes,
    tbsDer: derOf(tbs as DerNode),
    issuerDer,
    thisUpdateMs: readTimeMs(thisUpdate, 'thisUpdate'),
    ...defined({
      nextUpdateMs: nextUpdate === undefined ? undefined : readTimeMs(nextUpdate, 'nextUpdate'),
    }),
    signatureAlgorithm: signatureAlgorithm as DerNode,
    signature: readBitOctets(signature, 'signature'),
    ...known,
    ...entryReaders(bytes, entries, issuerDer, known.scope?.indirect ?? false),
  };
}

function entryReaders(
  bytes: Uint8Array,
  entries: DerNode | undefined,
  ofList: Uint8Array,
  isIndirect: boolean,
): Pick<CertificateList, 'findRevoked' | 'unknownCriticalEntry'> {
  let unknown: { readonly name: string | undefined } | undefined;
  return {
    findRevoked(serialNumber, wanted = ofList) {
      if (entries === undefined) return undefined;
      return parsing('a CRL', () =>
        isIndirect
          ? findIndirectEntry(bytes, entries, serialNumber, { ofList, wanted })
          : findEntry(bytes, entries, serialNumber),
      );
    },
    unknownCriticalEntry() {
      if (entries === undefined) return undefined;
      unknown ??= parsing('a CRL', () => ({
        name: findUnknownCritical(bytes, entries, isIndirect),
      }));
      return unknown.name;
    },
  };
}

/** List extensions that are evaluated elsewhere, or do not affect the entries. */
const understood = new Set<string>([oids.freshestCrl, oids.issuerAltName]);

function parseListExtensions(node: DerNode | undefined) {
  let authorityKeyId: Uint8Array | undefined;
  let crlNumber: bigint | undefined;
  let baseCrlNumber: bigint | undefined;
  let scope: CrlScope | undefined;
  let scopeDer: Uint8Array | undefined;
  const unknownCritical: string[] = [];
  for (const extension of node === undefined ? [] : readSequence(node, 'extensions')) {
    const { name, isCritical, content } = readExtension(extension);
    const value = readDer(content());
    if (name === oids.authorityKeyIdentifier) {
      const keyId = readSequence(value, 'authority key identifier').find((n) => n.tag === 0x80);
      if (keyId !== undefined) authorityKeyId = contentOf(keyId);
    } else if (name === oids.crlNumber) crlNumber = readNumber(value);
    else if (name === oids.deltaCrlIndicator) baseCrlNumber = readNumber(value);
    else if (name === oids.issuingDistributionPoint) {
      scope = parseScope(value);
      scopeDer = derOf(value);
    } else if (isCritical && !understood.has(name)) unknownCritical.push(name);
  }
  return { authorityKeyId, crlNumber, baseCrlNumber, scope, scopeDer, unknownCritical };
}

/** A CRL number: at most 20 octets, plus a leading zero. @spec RFC 5280 §5.2.3 */
function readNumber(node: DerNode): bigint {
  const content = readIntegerBytes(node, 'CRL number');
  if (content.length > 21) throw new InnsigliError('asn1.invalid', 'CRL number is too long');
  return BigInt.asIntN(8 * content.length, BigInt(`0x${hexOf(content)}`));
}

function parseScope(node: DerNode): CrlScope {
  const fields = readSequence(node, 'issuing distribution point');
  const field = (tag: number) => fields.find((candidate) => candidate.tag === tag);
  const flag = (tag: number) => {
    const content = field(tag);
    return content !== undefined && contentOf(content)[0] !== 0;
  };
  const point = field(0xa0);
  const reasons = field(0x83);
  return {
    onlyUserCertificates: flag(0x81),
    onlyCaCertificates: flag(0x82),
    reasons: reasons === undefined ? undefined : namedBitsIn(contentOf(reasons)),
    indirect: flag(0x84),
    onlyAttributeCertificates: flag(0x85),
    distributionPoint: point === undefined ? undefined : readDer(contentOf(point)),
  };
}

/** Content of a new CRL. */
export interface CrlInput {
  /** Name of the issuer, DER. */
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
    /** A key of {@link revocationReasons}. */
    readonly reasonCode?: number;
  }[];
}

/**
 * A CRL, with its TBSCertList signed by `sign`.
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
