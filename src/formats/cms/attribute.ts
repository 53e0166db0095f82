import { der, oids } from '../asn1/index.ts';

/** An Attribute: `SEQUENCE { type, SET OF value }`, DER. @spec RFC 5652 §5.3 */
export function buildAttribute(type: string, ...values: Uint8Array[]): Uint8Array {
  return der.sequence(der.oid(type), der.setOf(...values));
}

/** The content-type attributes of the most common contents; others are built on each call. */
const contentTypeAttributes = new Map(
  [oids.data, oids.tstInfo].map((type) => [
    type as string,
    buildAttribute(oids.contentType, der.oid(type)),
  ]),
);

/** The content-type attribute. @spec RFC 5652 §11.1 */
export function buildContentTypeAttribute(type: string): Uint8Array {
  return contentTypeAttributes.get(type) ?? buildAttribute(oids.contentType, der.oid(type));
}

const messageDigestType = der.oid(oids.messageDigest);

/** The message-digest attribute. @spec RFC 5652 §11.2 */
export function buildMessageDigestAttribute(digest: Uint8Array): Uint8Array {
  return der.sequence(messageDigestType, der.element(0x31, [der.octetString(digest)]));
}

/** A third party's statement about the signer that the signature covers. */
export interface SignedAssertion {
  /** Object identifier of the kind of assertion. */
  readonly type: string;
  /** DER. */
  readonly value: Uint8Array;
}

/**
 * The signed attribute signer-attributes-v2 with assertions of third parties about the signer:
 *
 *     SEQUENCE { [2] EXPLICIT SEQUENCE OF SEQUENCE { id OBJECT IDENTIFIER, assertion ANY } }
 *
 * @spec ETSI EN 319 122-1 §5.2.6.1
 */
export function buildSignedAssertions(assertions: readonly SignedAssertion[]): Uint8Array {
  const list = assertions.map(({ type, value }) => der.sequence(der.oid(type), value));
  return buildAttribute(
    oids.signerAttributesV2,
    der.sequence(der.explicit(2, der.sequence(...list))),
  );
}
