/** Proofs of existence, and the validation data in a document. */
export {
  NOTHING,
  placesOfStore,
  readDocumentSecurityStore,
  readRelatedData,
  type StoredValidationData,
} from './document-security-store.ts';
export { attributeData, cmsData, mergeData, tokenData } from './embedded-data.ts';
export {
  checkPathStatus,
  isProvedGood,
  listUncheckedRevocation,
  type Revocation,
  type RevocationEvidence,
  type RevocationRules,
  type StatusContext,
  withEvidence,
} from './long-term.ts';
export {
  bestSignatureTime,
  type ProofOfExistence,
  proofOfExistence,
  proofsByCoverage,
  proofsOfExistence,
  verifyTokens,
  withEvidenceUnder,
} from './proof-of-existence.ts';
