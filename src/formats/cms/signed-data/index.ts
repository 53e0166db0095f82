/** SignedData: read, built and kept byte for byte. */
export { signedDataOf, valueBytesOf } from './kept-signed-data.ts';
export {
  aroundBasicOcsp,
  asCmsError,
  parseOtherRevocation,
  parseSignedData,
  type SignedData,
  signedDataFields,
  trimContents,
} from './parse-signed-data.ts';
export {
  joinSignedData,
  type SignedDataParts,
  type SignerParts,
  splitSignedData,
  splitSigner,
} from './signed-data-parts.ts';
