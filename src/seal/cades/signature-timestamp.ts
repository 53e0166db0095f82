import { oids, readBytes, readDer } from '../../formats/asn1/index.ts';
import { buildAttribute, splitSignedData } from '../../formats/cms/index.ts';
import { digestOf } from '../../trust/signature.ts';
import {
  type FreshTimestamp,
  requestTimestamp,
  type TimestampContext,
} from '../timestamp-client.ts';
import { requireSigner, withUnsignedAttribute } from './signer-pieces.ts';

/** The signature with one more time-stamp. */
export interface StampedCades {
  /** ContentInfo with SignedData, DER. */
  readonly signature: Uint8Array;
  readonly timestamp: FreshTimestamp;
}

/**
 * Adds a time-stamp over the signature value of one signer.
 *
 * @param signerIndex place among the SignerInfo values, from 0
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
