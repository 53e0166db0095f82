import { der, oids } from '../asn1/index.ts';
import { buildAttribute } from './attribute.ts';

/** A statement of somebody else about the signer, which the signature covers. */
export interface SignedAssertion {
  /** Object identifier of its kind. */
  readonly type: string;
  /** DER. */
  readonly value: Uint8Array;
}

/**
 * The signed attribute signer-attributes-v2 with assertions of other parties about the signer:
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
