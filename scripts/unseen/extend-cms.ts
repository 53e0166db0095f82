import { joinSignedData, type SignerParts, splitSignedData } from '../../src/formats/cms/index.ts';

/** Adds unsigned attributes, computed from the signature value, to the first signer of the CMS. */
export function extended(
  cms: Uint8Array,
  make: (value: Uint8Array) => readonly Uint8Array[],
): Uint8Array {
  const parts = splitSignedData(cms);
  const [first, ...others] = parts.signers;
  if (first === undefined) throw new Error('a signer');
  const more = make(contentOf(first.fields.at(-1) as Uint8Array));
  const signer: SignerParts = {
    ...first,
    unsignedAttributes: [...first.unsignedAttributes, ...more],
  };
  return joinSignedData({ ...parts, signers: [signer, ...others] });
}

/** Returns the content of a DER value. */
export function contentOf(value: Uint8Array): Uint8Array {
  const first = value[1] as number;
  return value.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f));
}
