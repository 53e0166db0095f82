/** Cryptographic Message Syntax: SignedData, its attributes and what names the signer. */
export { findOtherAlgorithm, findOtherDigest } from './algorithm-protection.ts';
export { buildAttribute } from './attribute.ts';
export { findAttributeFault } from './attribute-rules.ts';
export * from './build-signed-data.ts';
export { looksLikeCms, readCmsFile, writeCmsFile } from './cms-file.ts';
export { type Countersigner, listCountersigners } from './countersigners.ts';
export { signedDataOf, valueBytesOf } from './kept-signed-data.ts';
export {
  parseOtherRevocation,
  parseSignedData,
  type SignedData,
  trimContents,
} from './parse-signed-data.ts';
export { maxSignatureLength } from './signature-length.ts';
export {
  joinSignedData,
  type SignedDataParts,
  type SignerParts,
  splitSignedData,
} from './signed-data-parts.ts';
export * from './signer-attributes.ts';
export {
  type Attributes,
  canonicalSignedAttributes,
  looksLikeSignedAttributes,
  readContentType,
  readMessageDigest,
  type SignerInfo,
} from './signer-info.ts';
export {
  issuerAndSerialOf,
  listSignerReferences,
  readSigningCertificate,
  type SigningCertificateReference,
} from './signing-certificate.ts';
export { addUnsignedAttribute } from './unsigned-attribute.ts';
export { parseCertificateValues, parseRevocationValues } from './values-attributes.ts';
