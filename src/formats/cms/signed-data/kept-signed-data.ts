import { createMemo } from '../../../base/memo.ts';
import { type DerNode, derOf } from '../../asn1/index.ts';
import { parseSignedData, type SignedData } from './parse-signed-data.ts';

const known = createMemo<Uint8Array, SignedData>();

/**
 * The SignedData of a signature or token; for the same array of bytes, which must not change, it is
 * read once.
 *
 * @throws cms.invalid, limit.exceeded
 */
export function signedDataOf(cms: Uint8Array): SignedData {
  const earlier = known.get(cms);
  if (earlier !== undefined) return earlier;
  const read = parseSignedData(cms);
  known.set(cms, read);
  return read;
}

const values = createMemo<DerNode, Uint8Array>();

/** The bytes of an attribute value: for the same node the same array, for {@link signedDataOf}. */
export function valueBytesOf(node: DerNode): Uint8Array {
  let bytes = values.get(node);
  if (bytes === undefined) {
    bytes = derOf(node);
    values.set(node, bytes);
  }
  return bytes;
}
