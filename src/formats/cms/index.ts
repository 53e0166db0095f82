/** Cryptographic Message Syntax: SignedData, its attributes and identification of the signer. */
export { findOtherAlgorithm, findOtherDigest } from './algorithm-protection.ts';
export * from './attribute.ts';
export { findAttributeFault, findBindingFault } from './attribute-rules.ts';
export { looksLikeCms, readCmsFile, writeCmsFile } from './cms-file.ts';
export { type Countersigner, listCountersigners } from './countersigners.ts';
export { maxSignatureLength } from './signature-length.ts';
export * from './signed-data/build-signed-data.ts';
export {
  joinSignedData,
  parseOtherRevocation,
  parseSignedData,
  type SignedData,
  type SignedDataParts,
  type SignerParts,
  signedDataOf,
  splitSignedData,
  trimContents,
  valueBytesOf,
} from './signed-data/index.ts';
export {
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
