/** Companies, and the API keys with which programs authenticate as them. */
export {
  type Authenticated,
  authenticateCompany,
  companyOf,
  isWebhookSignatureKey,
  requireScope,
} from './authenticate-company.ts';
export { type CompanyAccess, settingOperations } from './change-company.ts';
export {
  type ApiKeyTerms,
  type CompanyRequest,
  type CreatedCompany,
  chooseCompany,
  createCompany,
  issueApiKey,
} from './create-company.ts';
export {
  type IdempotentRequests,
  idempotentRequests,
  isAnswerLost,
} from './idempotent-requests.ts';
export { markedStore, type NamedRequest } from './named-request.ts';
