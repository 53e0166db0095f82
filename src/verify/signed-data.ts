import { parseSignedData, type SignedData } from '../formats/cms/index.ts';

const known = new WeakMap<Uint8Array, SignedData>();

/**
 * The SignedData of a signature; for the same array of bytes it is read once.
 *
 * @throws cms.invalid
 */
export function signedDataOf(cms: Uint8Array): SignedData {
  const earlier = known.get(cms);
  if (earlier !== undefined) return earlier;
  const read = parseSignedData(cms);
  known.set(cms, read);
  return read;
}
