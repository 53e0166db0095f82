import { InnsigliError } from '../../base/errors.ts';
import {
  der,
  derOf,
  oids,
  readBytes,
  readDer,
  readSequence,
  readSet,
} from '../../formats/asn1/index.ts';
import {
  addUnsignedAttribute,
  buildAttribute,
  joinSignedData,
  type SignedDataParts,
  type SignerParts,
  splitSignedData,
} from '../../formats/cms/index.ts';
import { serializeDigestAlgorithm } from '../../formats/x509/index.ts';
import type { ContentDigest } from '../../trust/content-digest.ts';
import { digestOf } from '../../trust/signature.ts';
import {
  type FreshTimestamp,
  requestTimestamp,
  type TimestampContext,
} from '../timestamp-client.ts';

/** The signature with one more time-stamp. */
export interface StampedCades {
  /** ContentInfo with SignedData, DER. */
  readonly signature: Uint8Array;
  readonly timestamp: FreshTimestamp;
}

/**
 * Adds a time-stamp over the signature value of one signer.
 *
 * @param signerIndex index among the SignerInfo values, from 0
 * @throws cms.invalid, tsa.*
 * @spec ETSI EN 319 122-1 §5.3
 */
export async function addSignatureTimestamp(
  signature: Uint8Array,
  signerIndex: number,
  timestamps: TimestampContext,
): Promise<StampedCades> {
  const parts = splitSignedData(signature);
  const { fields } = requireSigner(parts, signerIndex);
  const value = readBytes(readDer(fields[fields.length - 1] as Uint8Array), 'signature');
  const timestamp = await requestTimestamp(timestamps, 'sha256', digestOf('sha256', value));
  const attribute = buildAttribute(oids.signatureTimeStampToken, timestamp.token);
  return { signature: withUnsignedAttribute(parts, signerIndex, attribute), timestamp };
}

/** Digest of the imprint and of every index value: the specification requires the same for both. */
const ARCHIVE_DIGEST = 'sha256';

/**
 * Covers one signer with an archive time-stamp: the content, the signed attributes, the signature,
 * and all certificates, revocation values and unsigned attributes present at that time. Adding one
 * over earlier ones renews them.
 *
 *     imprint = H(eContentType ‖ H(content) ‖ SignerInfo fields up to the signature ‖ index)
 *
 * @param signerIndex index among the SignerInfo values, from 0
 * @throws cms.invalid, tsa.*
 * @spec ETSI EN 319 122-1 §5.5.2, §5.5.3
 */
export async function addArchiveTimestamp(
  signature: Uint8Array,
  signerIndex: number,
  content: ContentDigest,
  timestamps: TimestampContext,
): Promise<StampedCades> {
  const parts = splitSignedData(signature);
  const signer = requireSigner(parts, signerIndex);
  const index = buildHashIndex(parts, signer);
  const imprint = digestOf(
    ARCHIVE_DIGEST,
    parts.contentType,
    content(ARCHIVE_DIGEST),
    ...signer.fields,
    index,
  );
  const timestamp = await requestTimestamp(timestamps, ARCHIVE_DIGEST, imprint);
  const indexed = addUnsignedAttribute(timestamp.token, buildAttribute(oids.atsHashIndexV3, index));
  const attribute = buildAttribute(oids.archiveTimeStampV3, indexed);
  return { signature: withUnsignedAttribute(parts, signerIndex, attribute), timestamp };
}

/**
 * Builds the digests of all sets that may later grow, so that additions do not invalidate the
 * time-stamp.
 *
 *     ATSHashIndexV3 { hashIndAlgorithm, { certificate* }, { revocation value* },
 *                      { type ‖ value of each unsigned attribute value* } }
 */
function buildHashIndex(parts: SignedDataParts, signer: SignerParts): Uint8Array {
  return der.sequence(
    serializeDigestAlgorithm(ARCHIVE_DIGEST),
    digests(parts.certificates.map((value) => [value])),
    digests(parts.revocation.map((value) => [value])),
    digests(signer.unsignedAttributes.flatMap(typedValues)),
  );
}

function digests(values: readonly (readonly Uint8Array[])[]): Uint8Array {
  return der.sequence(
    ...values.map((bytes) => der.octetString(digestOf(ARCHIVE_DIGEST, ...bytes))),
  );
}

/** Each value of an attribute, preceded by the attribute type. */
function typedValues(attribute: Uint8Array): Uint8Array[][] {
  const [type, values] = readSequence(readDer(attribute), 'attribute');
  const typeDer = type === undefined ? new Uint8Array() : derOf(type);
  return readSet(values, 'attribute values').map((value) => [typeDer, derOf(value)]);
}

/** The signer at the index. @throws cms.invalid if there is none */
function requireSigner({ signers }: SignedDataParts, signerIndex: number): SignerParts {
  const signer = signers[signerIndex];
  if (signer !== undefined) return signer;
  const message = `expected signer ${signerIndex}, found ${signers.length} signers`;
  throw new InnsigliError('cms.invalid', message);
}

/**
 * Adds an unsigned attribute to one signer of the SignedData. The bytes of all other values are
 * unchanged.
 *
 * @throws cms.invalid if there is no such signer
 */
function withUnsignedAttribute(
  parts: SignedDataParts,
  signerIndex: number,
  attribute: Uint8Array,
): Uint8Array {
  const chosen = requireSigner(parts, signerIndex);
  const unsignedAttributes = [...chosen.unsignedAttributes, attribute];
  const signers = parts.signers.map((signer) =>
    signer === chosen ? { ...signer, unsignedAttributes } : signer,
  );
  return joinSignedData({ ...parts, signers });
}
