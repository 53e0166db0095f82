/** Companies and the keys with which programs speak for them. */
export * from './authenticate-company.ts';
export * from './change-company.ts';
export {
  type ApiKeyTerms,
  type CompanyRequest,
  type CreatedCompany,
  chooseCompany,
  createCompany,
  issueApiKey,
} from './create-company.ts';
export * from './idempotent-requests.ts';
export { markedStore, type NamedRequest } from './named-request.ts';
