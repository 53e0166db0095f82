import { concatBytes } from '../../../base/bytes.ts';
import {
  childrenOf,
  type DerNode,
  der,
  derOf,
  oids,
  readDer,
  readSequence,
  readSet,
  requireTag,
} from '../../asn1/index.ts';
import { frame } from '../frame.ts';
import { asCmsError, bounded, signedDataFields } from './parse-signed-data.ts';

/** Parts of a SignedData for additions and archive time-stamps: original bytes, header included. */
export interface SignedDataParts {
  readonly version: Uint8Array;
  /** SET OF AlgorithmIdentifier. */
  readonly digestAlgorithms: Uint8Array;
  /** EncapsulatedContentInfo. */
  readonly encapsulated: Uint8Array;
  /** OBJECT IDENTIFIER inside the EncapsulatedContentInfo. */
  readonly contentType: Uint8Array;
  /** CertificateChoices. */
  readonly certificates: readonly Uint8Array[];
  /** RevocationInfoChoice: CRLs, and OCSP responses under tag 1. */
  readonly revocation: readonly Uint8Array[];
  readonly signers: readonly SignerParts[];
}

/** The parts of a SignerInfo. */
export interface SignerParts {
  /** Version, identifier, digest, `[0]` signed attributes, algorithm, signature: unchanged. */
  readonly fields: readonly Uint8Array[];
  /** Unsigned attributes. */
  readonly unsignedAttributes: readonly Uint8Array[];
}

/**
 * Splits a SignedData into its parts.
 *
 * @throws cms.invalid if the bytes are not a SignedData; limit.exceeded
 * @spec RFC 5652 §5.1, §5.3
 */
export function splitSignedData(bytes: Uint8Array): SignedDataParts {
  return asCmsError(() => {
    const [version, digests, encapsulated, ...rest] = signedDataFields(readDer(bytes));
    const [contentType] = readSequence(encapsulated, 'encapsulated content');
    const signers = readSet(rest[rest.length - 1], 'signer infos');
    return {
      version: derOf(requireTag(version, 0x02, 'version')),
      digestAlgorithms: derOf(requireTag(digests, 0x31, 'digest algorithms')),
      encapsulated: derOf(encapsulated as DerNode),
      contentType: derOf(requireTag(contentType, 0x06, 'content type')),
      certificates: members(rest, 0xa0),
      revocation: members(rest, 0xa1),
      signers: bounded(signers).map(splitSigner),
    };
  });
}

function members(fields: readonly DerNode[], tag: number): Uint8Array[] {
  const field = fields.find((node) => node.tag === tag);
  return field === undefined ? [] : bounded(childrenOf(field)).map(derOf);
}

/** Splits one SignerInfo into its parts. @throws asn1.invalid if it is not a SignerInfo */
export function splitSigner(node: DerNode): SignerParts {
  const fields = readSequence(node, 'SignerInfo');
  const last = fields[fields.length - 1];
  const unsigned = last?.tag === 0xa1 ? bounded(childrenOf(last)) : [];
  return {
    fields: (last?.tag === 0xa1 ? fields.slice(0, -1) : fields).map(derOf),
    unsignedAttributes: unsigned.map(derOf),
  };
}

/**
 * A ContentInfo with the SignedData of the parts. The parts keep their bytes; the structures around
 * them are DER and sets are sorted, except for the signers, which callers identify by position. The
 * version depends on whether the parts include OCSP responses.
 *
 * @spec RFC 5652 §5.1
 */
export function joinSignedData(parts: SignedDataParts): Uint8Array {
  const { certificates, revocation, signers } = parts;
  const withOther = revocation.some(([tag]) => tag === 0xa1);
  const fields = [
    withOther ? der.smallInteger(5) : parts.version,
    parts.digestAlgorithms,
    parts.encapsulated,
  ];
  if (certificates.length > 0) fields.push(...frame(0xa0, der.sortedSet(certificates)));
  if (revocation.length > 0) fields.push(...frame(0xa1, der.sortedSet(revocation)));
  const infos = signers.map(({ fields: signed, unsignedAttributes: unsigned }) => {
    const attributes = unsigned.length === 0 ? [] : frame(0xa1, der.sortedSet(unsigned));
    return concatBytes(frame(0x30, [...signed, ...attributes]));
  });
  fields.push(...frame(0x31, infos));
  return concatBytes(frame(0x30, [der.oid(oids.signedData), ...frame(0xa0, frame(0x30, fields))]));
}
