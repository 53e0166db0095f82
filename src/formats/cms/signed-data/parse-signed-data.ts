import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { createMemo, getOrCompute } from '../../../base/memo.ts';
import {
  childrenOf,
  type DerNode,
  der,
  derOf,
  oids,
  readBytes,
  readDer,
  readNode,
  readOid,
  readSequence,
  readSet,
  readSmallInteger,
  requireTag,
} from '../../asn1/index.ts';
import { type NamedDigest, readNamedDigest } from '../named-digest.ts';
import { parseSignerInfo, type SignerInfo } from '../signer-info.ts';

/** A parsed SignedData. All byte fields are views. @spec RFC 5652 §5.1 */
export interface SignedData {
  readonly version: number;
  readonly digestAlgorithms: readonly NamedDigest[];
  readonly contentType: string;
  /** The encapsulated content; undefined if the signature is detached. */
  readonly content: Uint8Array | undefined;
  /** X.509 certificates, DER; other kinds are ignored. */
  readonly certificates: readonly Uint8Array[];
  /** CertificateList values, DER. */
  readonly crls: readonly Uint8Array[];
  /** OCSPResponse values, DER. @spec RFC 5940 §2.1 */
  readonly ocsp: readonly Uint8Array[];
  readonly signerInfos: readonly SignerInfo[];
}

/** The first element of a padded value such as `/Contents` of a PDF. @throws cms.invalid */
export function trimContents(bytes: Uint8Array): Uint8Array {
  return asCmsError(() => bytes.subarray(0, readNode(bytes, 0, bytes.length).end));
}

/**
 * Parses a SignedData. BER is accepted: indefinite lengths and constructed strings.
 *
 * @throws cms.invalid if it is something else or followed by other bytes; limit.exceeded
 * @spec RFC 5652 §3, §5
 */
export function parseSignedData(bytes: Uint8Array): SignedData {
  return asCmsError(() => parse(bytes));
}

/** Runs `read` and turns ASN.1 errors into CMS errors. */
export function asCmsError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isInnsigliError(error) || error.code !== 'asn1.invalid') throw error;
    throw new InnsigliError('cms.invalid', `not a SignedData: ${error.message}`, { cause: error });
  }
}

function parse(bytes: Uint8Array): SignedData {
  const fields = signedDataFields(readDer(bytes));
  const [version, digests, encapsulated, ...rest] = fields;
  const [type, wrapped] = readSequence(encapsulated, 'encapsulated content');
  let certificates: DerNode[] = [];
  let revocation: DerNode[] = [];
  for (const field of rest) {
    if (field.tag === 0xa0) certificates = bounded(childrenOf(field), 'certificates');
    if (field.tag === 0xa1) revocation = bounded(childrenOf(field), 'revocation values');
  }
  const signers = bounded(readSet(rest[rest.length - 1], 'signer infos'), 'signer infos');
  return {
    version: readSmallInteger(version, 'version of SignedData'),
    digestAlgorithms: readSet(digests, 'digest algorithms').map(readNamedDigest),
    contentType: readOid(type, 'content type'),
    content: wrapped === undefined ? undefined : readContent(wrapped),
    certificates: certificates.filter((node) => node.tag === 0x30).map(derOf),
    crls: revocation.filter((node) => node.tag === 0x30).map(derOf),
    ocsp: revocation.filter((node) => node.tag === 0xa1).flatMap(parseOtherRevocation),
    signerInfos: signers.map(parseSignerInfo),
  };
}

/** The fields of the SignedData inside a ContentInfo. @throws asn1.invalid, cms.invalid */
export function signedDataFields(contentInfo: DerNode): DerNode[] {
  const [type, wrapped] = readSequence(contentInfo, 'ContentInfo');
  const name = readOid(type, 'content type');
  if (name === oids.envelopedData || name === oids.authEnvelopedData) {
    throw new InnsigliError('cms.invalid', 'expected SignedData, found EnvelopedData: encrypted', {
      hint: 'decrypt it first: a signature can only be inside (openssl cms -decrypt)',
    });
  }
  if (name !== oids.signedData) {
    throw new InnsigliError('cms.invalid', `expected SignedData, found content type ${name}`);
  }
  const [signedData] = childrenOf(requireTag(wrapped, 0xa0, 'content'));
  return readSequence(signedData, 'SignedData');
}

/** Returns the nodes. @throws limit.exceeded if there are too many */
export function bounded(nodes: DerNode[], what = 'values'): DerNode[] {
  if (nodes.length <= limits.certificates) return nodes;
  throw new InnsigliError('limit.exceeded', `too many ${what}: ${nodes.length}`);
}

/** The OCTET STRING. PKCS #7 allowed any type; the whole element is then the content. */
function readContent(wrapped: DerNode): Uint8Array {
  const [content] = childrenOf(requireTag(wrapped, 0xa0, 'encapsulated content'));
  if (content === undefined)
    throw new InnsigliError('cms.invalid', 'the encapsulated content is empty');
  return content.tag === 0x04 || content.tag === 0x24 ? readBytes(content) : derOf(content);
}

/**
 * The OCSPResponse of an OtherRevocationInfoFormat (tag 1). A bare BasicOCSPResponse, as older
 * signers wrote it, is wrapped in one. Empty if it contains something else.
 *
 * @throws asn1.invalid
 * @spec RFC 5652 §10.2.1, RFC 5940 §2.1
 */
export function parseOtherRevocation(node: DerNode): Uint8Array[] {
  const [format, value] = childrenOf(node);
  const name = readOid(format, 'revocation format');
  if (value === undefined) return [];
  if (name === oids.ocspResponseInfo) return [derOf(value)];
  return name === oids.ocspBasic ? [aroundBasicOcsp(derOf(value))] : [];
}

/** A successful OCSPResponse around a BasicOCSPResponse. @spec RFC 6960 §4.2.1 */
export function aroundBasicOcsp(basic: Uint8Array): Uint8Array {
  const responseBytes = der.sequence(der.oid(oids.ocspBasic), der.octetString(basic));
  return der.sequence(der.enumerated(0), der.explicit(0, responseBytes));
}

const known = createMemo<Uint8Array, SignedData>();

/**
 * The parsed SignedData of a signature or token, cached by the identity of the array, which must
 * not change.
 *
 * @throws cms.invalid, limit.exceeded
 */
export function signedDataOf(cms: Uint8Array): SignedData {
  return getOrCompute(known, cms, parseSignedData);
}

const values = createMemo<DerNode, Uint8Array>();

/** Bytes of an attribute value: one array per node, so that {@link signedDataOf} can cache. */
export function valueBytesOf(node: DerNode): Uint8Array {
  return getOrCompute(values, node, derOf);
}
