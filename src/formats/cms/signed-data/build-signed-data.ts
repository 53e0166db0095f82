import { concatBytes, equalBytes } from '../../../base/bytes.ts';
import { getOrCompute } from '../../../base/memo.ts';
import { der, oids } from '../../asn1/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from '../../x509/index.ts';
import {
  buildAttribute,
  buildContentTypeAttribute,
  buildMessageDigestAttribute,
} from '../attribute.ts';
import { frame } from '../frame.ts';
import { buildSigningCertificateAttribute, issuerAndSerialOf } from '../signing-certificate.ts';

/** Input of {@link buildSignedAttributes}. */
export interface SignedAttributesInput {
  /** Object identifier of the content: `id-data` for a document, `id-ct-TSTInfo` for a token. */
  readonly contentType: string;
  /** Digest of the content. */
  readonly messageDigest: Uint8Array;
  readonly certificate: Certificate;
  /** Digest algorithm for the reference to the certificate. */
  readonly certificateDigest: DigestAlgorithm;
  /** The signing time claimed by the signer; CAdES requires it, PAdES forbids it. */
  readonly signingTimeMs?: number;
  /** Additional attributes, DER. */
  readonly further?: readonly Uint8Array[];
}

/**
 * The signed attributes of a CAdES baseline signature as the bytes to sign: DER of the SET OF
 * content-type, message-digest, signing-certificate-v2 and, if provided, signing-time and
 * additional attributes.
 *
 * @spec RFC 5652 §5.3, §5.4, §11.3; ETSI EN 319 142-1 §6.3; EN 319 122-1 §6.3
 */
export function buildSignedAttributes(input: SignedAttributesInput): Uint8Array {
  const attributes = [
    buildContentTypeAttribute(input.contentType),
    buildMessageDigestAttribute(input.messageDigest),
    buildSigningCertificateAttribute(input.certificate, input.certificateDigest),
  ];
  if (input.signingTimeMs !== undefined) {
    attributes.push(buildAttribute(oids.signingTime, der.certificateTime(input.signingTimeMs)));
  }
  return der.setOf(...attributes, ...(input.further ?? []));
}

/** Input of {@link buildSignedData}. */
export interface SignedDataInput {
  /** Digest of the content. */
  readonly digest: DigestAlgorithm;
  /** As returned by {@link buildSignedAttributes}: SET OF, tag 0x31. */
  readonly signedAttributes: Uint8Array;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
  /** The signer's certificate; always embedded unless `certificates` is empty. */
  readonly certificate: Certificate;
  /** Certificates to embed, DER; duplicates are dropped. Empty: none are embedded. */
  readonly certificates: readonly Uint8Array[];
  /** Attributes, DER. */
  readonly unsignedAttributes?: readonly Uint8Array[];
  /** Content to encapsulate; without it the signature is detached over `id-data`. */
  readonly encapsulated?: { readonly type: string; readonly content: Uint8Array };
}

/**
 * A ContentInfo with a SignedData of one signer, DER.
 *
 *     ContentInfo { id-signedData, [0] SignedData {
 *       version, { digest }, { type, [0] content? }, [0] certificates, SignerInfo {
 *         1, issuerAndSerial, digest, [0] signed attributes, algorithm, signature, [1] unsigned }}}
 *
 * The certificates are in the order that DER requires of a SET OF.
 *
 * @throws algorithm.unsupported
 * @spec RFC 5652 §5.1, §5.3
 */
export function buildSignedData(input: SignedDataInput): Uint8Array {
  const digest = digestIdentifier(input.digest);
  const { signedAttributes, encapsulated, unsignedAttributes: unsigned = [] } = input;
  const signer = [
    VERSION_1,
    issuerAndSerialOf(input.certificate),
    digest,
    SIGNED_ATTRIBUTES_TAG,
    signedAttributes.subarray(1),
    signatureIdentifier(input.signatureAlgorithm),
    ...frame(0x04, [input.signature]),
  ];
  if (unsigned.length > 0) signer.push(...frame(0xa1, der.sortedSet(unsigned)));
  const fields = [
    encapsulated === undefined ? VERSION_1 : VERSION_3,
    ...frame(0x31, [digest]),
    encapsulated === undefined
      ? DETACHED_DATA
      : der.sequence(
          der.oid(encapsulated.type),
          der.explicit(0, der.octetString(encapsulated.content)),
        ),
  ];
  if (input.certificates.length > 0) {
    fields.push(...frame(0xa0, der.sortedSet(withoutRepeats(input))));
  }
  fields.push(...frame(0x31, frame(0x30, signer)));
  return concatBytes(frame(0x30, [SIGNED_DATA, ...frame(0xa0, frame(0x30, fields))]));
}

/** `[0] IMPLICIT`: replaces the tag of SET OF. */
const SIGNED_ATTRIBUTES_TAG = Uint8Array.of(0xa0);
const VERSION_1 = der.smallInteger(1);
const VERSION_3 = der.smallInteger(3);
const SIGNED_DATA = der.oid(oids.signedData);
const DETACHED_DATA = der.sequence(der.oid(oids.data));

const digestIdentifiers = new Map<DigestAlgorithm, Uint8Array>();

/** Cached: encoding object identifiers costs more than everything else. */
function digestIdentifier(digest: DigestAlgorithm): Uint8Array {
  return getOrCompute(digestIdentifiers, digest, serializeDigestAlgorithm);
}

const signatureIdentifiers = new WeakMap<SignatureAlgorithm, Uint8Array>();

function signatureIdentifier(algorithm: SignatureAlgorithm): Uint8Array {
  return getOrCompute(signatureIdentifiers, algorithm, serializeSignatureAlgorithm);
}

function withoutRepeats(input: SignedDataInput): Uint8Array[] {
  const kept: Uint8Array[] = [input.certificate.der];
  for (const certificate of input.certificates) {
    if (!kept.some((other) => equalBytes(other, certificate))) kept.push(certificate);
  }
  return kept;
}
