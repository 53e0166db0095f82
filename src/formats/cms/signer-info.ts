import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  childrenOf,
  contentOf,
  type DerNode,
  der,
  derOf,
  oids,
  readBytes,
  readDer,
  readIntegerBytes,
  readOid,
  readSequence,
  readSet,
  readSmallInteger,
} from '../asn1/index.ts';
import { parseSignatureAlgorithm, type SignatureAlgorithm } from '../x509/index.ts';
import { canonicalDer, isCanonicalDer } from './canonical-der.ts';
import { type NamedDigest, readNamedDigest } from './named-digest.ts';

/**
 * Attribute values by type. If a signed type is repeated, which the specification forbids, the
 * first attribute counts; the values of repeated unsigned attributes, and of content time-stamps,
 * are combined.
 */
export type Attributes = ReadonlyMap<string, readonly DerNode[]>;

/** One signer of a SignedData. All byte fields are views. @spec RFC 5652 §5.3 */
export interface SignerInfo extends NamedDigest {
  readonly version: number;
  /** Name of the issuer, DER; undefined if the signer is identified by key identifier. */
  readonly issuerDer: Uint8Array | undefined;
  /** Content bytes of the serial number. */
  readonly serialNumber: Uint8Array | undefined;
  readonly subjectKeyId: Uint8Array | undefined;
  readonly signatureAlgorithmNode: DerNode;
  readonly signatureOid: string;
  /** Undefined if the algorithm is unknown. */
  readonly signatureAlgorithm: SignatureAlgorithm | undefined;
  readonly signedAttributes: Attributes | undefined;
  /** The signed bytes: as found, but with the tag of SET OF. */
  readonly signedAttributesDer: Uint8Array | undefined;
  /** Types that occur more than once among the signed attributes. */
  readonly repeatedAttributes: readonly string[];
  readonly signature: Uint8Array;
  readonly unsignedAttributes: Attributes;
  /** The whole element. */
  readonly node: DerNode;
}

/** Parses a SignerInfo. @throws asn1.invalid, cms.invalid if the element is not a SignerInfo */
export function parseSignerInfo(node: DerNode): SignerInfo {
  const fields = readSequence(node, 'SignerInfo');
  const [version, identifier, digestNode] = fields;
  const signedNode = fields[3]?.tag === 0xa0 ? fields[3] : undefined;
  const [algorithm, signature, unsignedNode] = fields.slice(signedNode === undefined ? 3 : 4);
  const repeated: string[] = [];
  const signatureOid = readOid(readSequence(algorithm, 'signature algorithm')[0]);
  const named = readNamedDigest(digestNode);
  return {
    version: readSmallInteger(version, 'version of SignerInfo'),
    ...readIdentifier(identifier),
    ...named,
    signatureAlgorithmNode: algorithm as DerNode,
    signatureOid,
    signatureAlgorithm: attemptAny(() => parseSignatureAlgorithm(algorithm, named.digest)),
    signedAttributes: signedNode && readAttributes(signedNode, repeated),
    signedAttributesDer: signedNode && underSetTag(signedNode),
    repeatedAttributes: repeated,
    signature: readBytes(signature, 'signature'),
    unsignedAttributes: unsignedNode?.tag === 0xa1 ? readAttributes(unsignedNode) : new Map(),
    node,
  };
}

function readIdentifier(
  node: DerNode | undefined,
): Pick<SignerInfo, 'issuerDer' | 'serialNumber' | 'subjectKeyId'> {
  if (node?.tag === 0x80) {
    return { issuerDer: undefined, serialNumber: undefined, subjectKeyId: contentOf(node) };
  }
  if (node?.tag === 0xa0) {
    const pieces = childrenOf(node).map((piece) => readBytes(piece, 'key identifier'));
    const subjectKeyId = new Uint8Array(Buffer.concat(pieces));
    return { issuerDer: undefined, serialNumber: undefined, subjectKeyId };
  }
  const [issuer, serial] = readSequence(node, 'signer identifier');
  readSequence(issuer, 'issuer');
  return {
    issuerDer: derOf(issuer as DerNode),
    serialNumber: readIntegerBytes(serial, 'serial number'),
    subjectKeyId: undefined,
  };
}

/** Signed attributes that may be repeated, one per authority. @spec ETSI EN 319 122-1 §5.2.8 */
const repeatable: ReadonlySet<string> = new Set([oids.contentTimeStamp]);

function readAttributes(node: DerNode, repeated?: string[]): Attributes {
  const attributes = new Map<string, readonly DerNode[]>();
  const elements = childrenOf(node);
  if (elements.length > limits.signatures) {
    throw new InnsigliError('limit.exceeded', `too many attributes: ${elements.length}`);
  }
  for (const attribute of elements) {
    const [name, values] = readSequence(attribute, 'attribute');
    const type = readOid(name, 'attribute type');
    const present = attributes.get(type);
    const found = readSet(values, 'attribute values');
    if (present === undefined) attributes.set(type, found);
    else if (repeated === undefined || repeatable.has(type)) {
      attributes.set(type, [...present, ...found]);
    } else repeated.push(type);
  }
  return attributes;
}

function underSetTag(node: DerNode): Uint8Array {
  // Not slice(): on a Buffer it returns a view, and the caller's bytes would change.
  const copy = new Uint8Array(derOf(node));
  copy[0] = 0x31;
  return copy;
}

/**
 * The signed attributes in DER, if the bytes found are not DER: according to the specification the
 * DER is signed even if the signer wrote BER. Use it when {@link SignerInfo.signedAttributesDer}
 * does not verify. Undefined if there is no alternative to try.
 *
 * @spec RFC 5652 §5.4
 */
export function canonicalSignedAttributes(signer: SignerInfo): Uint8Array | undefined {
  const found = signer.signedAttributesDer;
  if (found === undefined) return undefined;
  // Attribute values are parsed here for the first time and may be corrupt.
  const canonical = attemptAny(() => {
    if (isCanonicalDer(readDer(found))) return undefined;
    const attributes = readSequence(signer.node, 'SignerInfo')[3] as DerNode;
    return der.setOf(...childrenOf(attributes).map((child) => canonicalDer(child)));
  });
  if (canonical === undefined || Buffer.compare(canonical, found) === 0) return undefined;
  return canonical;
}

/** Maximum size of the attributes of a signature. */
const MOST_ATTRIBUTE_BYTES = 64 * 1024;

/**
 * Whether the bytes are a SET OF attributes with content-type and message-digest, as in a signature
 * with signed attributes.
 *
 * @spec RFC 5652 §5.3, §5.4
 */
export function looksLikeSignedAttributes(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x31 || bytes.length > MOST_ATTRIBUTE_BYTES) return false;
  const attributes = attemptAny(() => readAttributes(readDer(bytes)));
  return attributes?.has(oids.contentType) === true && attributes.has(oids.messageDigest);
}

/** The message-digest attribute; undefined if it is missing or does not have exactly one value. */
export function readMessageDigest(signer: SignerInfo): Uint8Array | undefined {
  const values = signer.signedAttributes?.get(oids.messageDigest);
  if (values?.length !== 1) return undefined;
  return attemptAny(() => readBytes(values[0], 'message digest'));
}

/** The content-type attribute; undefined if it is missing or does not have exactly one value. */
export function readContentType(signer: SignerInfo): string | undefined {
  const values = signer.signedAttributes?.get(oids.contentType);
  if (values?.length !== 1) return undefined;
  return attemptAny(() => readOid(values[0], 'content type'));
}
