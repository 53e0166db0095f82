import { InnsigliError } from '../../base/errors.ts';
import {
  contentOf,
  type DerNode,
  der,
  derOf,
  oids,
  readDer,
  readOid,
  readSequence,
} from '../asn1/index.ts';
import { buildAttribute } from './attribute.ts';
import type { SignerInfo } from './signer-info.ts';

/** A statement of somebody else about the signer, which the signature covers. */
export interface SignedAssertion {
  /** Object identifier of its kind. */
  readonly type: string;
  /** DER. */
  readonly value: Uint8Array;
}

/** Assertions in one attribute that are read. */
const MAX_ASSERTIONS = 64;

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

/** The assertions that a signature covers, if any. @throws cms.invalid */
export function readSignedAssertions({
  signedAttributes,
}: Pick<SignerInfo, 'signedAttributes'>): readonly SignedAssertion[] {
  const [value] = signedAttributes?.get(oids.signerAttributesV2) ?? [];
  if (value === undefined) return [];
  const wrapped = readSequence(value, 'signer attributes').find(({ tag }) => tag === 0xa2);
  if (wrapped === undefined) return [];
  const list = readSequence(readDer(contentOf(wrapped)), 'list');
  if (list.length > MAX_ASSERTIONS) {
    throw new InnsigliError('cms.invalid', `more than ${MAX_ASSERTIONS} assertions on the signer`);
  }
  return list.map(assertionOf);
}

function assertionOf(node: DerNode): SignedAssertion {
  const [type, assertion] = readSequence(node, 'assertion');
  return {
    type: readOid(type),
    value: assertion === undefined ? new Uint8Array() : derOf(assertion),
  };
}
