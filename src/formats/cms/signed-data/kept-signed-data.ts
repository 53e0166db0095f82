import { createMemo, getOrCompute } from '../../../base/memo.ts';
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
  return getOrCompute(known, cms, parseSignedData);
}

const values = createMemo<DerNode, Uint8Array>();

/** The bytes of an attribute value: for the same node the same array, for {@link signedDataOf}. */
export function valueBytesOf(node: DerNode): Uint8Array {
  return getOrCompute(values, node, derOf);
}
