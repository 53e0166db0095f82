/** XML signatures: structure, algorithms and the bytes that references digest; no validation. */
export { digestUri, findDigest, readSignatureMethod, signatureUri } from './algorithms.ts';
export { curveLengthBytes, ecdsaDerFromRaw, ecdsaRawFromDer } from './ecdsa-value.ts';
export { canonicalUris, namespaces, referenceTypes, transformUris } from './namespaces.table.ts';
export { readPrefixList } from './prefix-list.ts';
export { parseManifest, parseReference, type XmlReference } from './reference.ts';
export { createReferenceBudget, type ReferenceBudget } from './reference-budget.ts';
export type {
  OmittedPart,
  ReferenceContext,
  ReferenceMissing,
  ReferenceRefused,
  ReferenceResult,
  ReferenceScope,
} from './reference-context.ts';
export { feedReference, type NodeSetForm } from './reference-data.ts';
export { feedCanonical } from './referenced-data.ts';
export { parseXmlSignature, signedInfoBytes, type XmlSignature } from './signature.ts';
export { parseBase64, readBase64, requireAttribute, signatureInvalid } from './structure.ts';
