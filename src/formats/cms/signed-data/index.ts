/** SignedData: parsed, built and extended without re-encoding its parts. */
export {
  aroundBasicOcsp,
  asCmsError,
  parseOtherRevocation,
  parseSignedData,
  type SignedData,
  signedDataFields,
  signedDataOf,
  trimContents,
  valueBytesOf,
} from './parse-signed-data.ts';
export {
  joinSignedData,
  type SignedDataParts,
  type SignerParts,
  splitSignedData,
  splitSigner,
} from './signed-data-parts.ts';
