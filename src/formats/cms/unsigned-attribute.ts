import { InnsigliError } from '../../base/errors.ts';
import {
  childrenOf,
  type DerNode,
  der,
  derOf,
  readDer,
  readOid,
  readSequence,
  readSet,
} from '../asn1/index.ts';
import { asCmsError, signedDataFields } from './signed-data/index.ts';

/**
 * The SignedData with an unsigned attribute added to its only signer. Everything signed keeps its
 * bytes; the structures around it are encoded again in DER.
 *
 * @throws cms.invalid if the bytes are not a SignedData with exactly one signer
 * @spec RFC 5652 §5.3
 */
export function addUnsignedAttribute(signedData: Uint8Array, attribute: Uint8Array): Uint8Array {
  return asCmsError(() => {
    const contentInfo = readDer(signedData);
    const fields = signedDataFields(contentInfo);
    const signers = readSet(fields[fields.length - 1], 'signer infos');
    const [signer] = signers;
    if (signers.length !== 1 || signer === undefined) {
      throw new InnsigliError('cms.invalid', `expected one signer, found ${signers.length}`);
    }
    const [type] = readSequence(contentInfo, 'ContentInfo');
    const outer = fields.slice(0, -1).map(derOf);
    const signerInfo = withAttribute(signer, attribute);
    const whole = der.element(0x30, [...outer, der.element(0x31, [signerInfo])]);
    return der.sequence(der.oid(readOid(type)), der.explicit(0, whole));
  });
}

function withAttribute(signer: DerNode, attribute: Uint8Array): Uint8Array {
  const fields = readSequence(signer, 'SignerInfo');
  const last = fields[fields.length - 1];
  const present = last?.tag === 0xa1 ? childrenOf(last).map(derOf) : [];
  const kept = (last?.tag === 0xa1 ? fields.slice(0, -1) : fields).map(derOf);
  return der.element(0x30, [...kept, der.element(0xa1, der.sortedSet([...present, attribute]))]);
}
