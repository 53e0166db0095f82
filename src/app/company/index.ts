/** Companies and the keys with which programs speak for them. */
export {
  type Authenticated,
  authenticateCompany,
  companyOf,
  isWebhookSignatureKey,
  requireScope,
} from './authenticate-company.ts';
export { changeCompany } from './change-company.ts';
export { addOrigins, removeOrigins } from './change-origins.ts';
export { chooseCompany } from './choose-company.ts';
export { type CompanyAccess, companyAccess, revokeApiKey } from './company-keys.ts';
export {
  type ApiKeyTerms,
  apiKeyDigest,
  type CompanyRequest,
  type CreatedCompany,
  createCompany,
  issueApiKey,
} from './create-company.ts';
export { type IdempotentRequests, idempotentRequests } from './idempotent-requests.ts';
export { markedStore, type NamedRequest } from './named-request.ts';
export { setTrial } from './set-trial.ts';
