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
  /** The content carried inside; undefined when the signature is detached. */
  readonly content: Uint8Array | undefined;
  /** X.509 certificates, DER; other kinds are left out. */
  readonly certificates: readonly Uint8Array[];
  /** CertificateList values, DER. */
  readonly crls: readonly Uint8Array[];
  /** OCSPResponse values, DER. @spec RFC 5940 §2.1 */
  readonly ocsp: readonly Uint8Array[];
  readonly signerInfos: readonly SignerInfo[];
}

/** The first element of a value that is padded, as `/Contents` of a PDF is. @throws cms.invalid */
export function trimContents(bytes: Uint8Array): Uint8Array {
  return asCmsError(() => bytes.subarray(0, readNode(bytes, 0, bytes.length).end));
}

/**
 * A SignedData as a value. BER is accepted: indefinite lengths and strings in pieces.
 *
 * @throws cms.invalid when it is something else, or bytes follow it; limit.exceeded
 * @spec RFC 5652 §3, §5
 */
export function parseSignedData(bytes: Uint8Array): SignedData {
  return asCmsError(() => parse(bytes));
}

/** Runs `read`; an encoding fault becomes an error of CMS. */
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

/** @throws limit.exceeded for more nodes than are read */
export function bounded(nodes: DerNode[], what = 'values'): DerNode[] {
  if (nodes.length <= limits.certificates) return nodes;
  throw new InnsigliError('limit.exceeded', `too many ${what}: ${nodes.length}`);
}

/** An OCTET STRING; old PKCS #7 allowed any type, then the whole element is the content. */
function readContent(wrapped: DerNode): Uint8Array {
  const [content] = childrenOf(requireTag(wrapped, 0xa0, 'encapsulated content'));
  if (content === undefined)
    throw new InnsigliError('cms.invalid', 'the encapsulated content is empty');
  return content.tag === 0x04 || content.tag === 0x24 ? readBytes(content) : derOf(content);
}

/**
 * The OCSPResponse of an OtherRevocationInfoFormat under tag 1, also around the bare basic answer
 * of older signers; none when it holds something else.
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

/** The OCSPResponse, successful, around a BasicOCSPResponse. @spec RFC 6960 §4.2.1 */
export function aroundBasicOcsp(basic: Uint8Array): Uint8Array {
  const responseBytes = der.sequence(der.oid(oids.ocspBasic), der.octetString(basic));
  return der.sequence(der.enumerated(0), der.explicit(0, responseBytes));
}

const known = createMemo<Uint8Array, SignedData>();

/**
 * The SignedData of a signature or token; for the same array of bytes, which must not change, it is
 * read once.
 *
 * @throws cms.invalid, limit.exceeded
 */
export function signedDataOf(cms: Uint8Array): SignedData {
  return getOrCompute(known, cms, parseSignedData);
}

const values = createMemo<DerNode, Uint8Array>();

/** The bytes of an attribute value: for the same node the same array, for {@link signedDataOf}. */
export function valueBytesOf(node: DerNode): Uint8Array {
  return getOrCompute(values, node, derOf);
}
