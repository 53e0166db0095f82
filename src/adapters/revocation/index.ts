/** Where OCSP responses, CRLs and issuer certificates come from. */
export type { FetchLimits, FetchOptions } from './fetch-bytes.ts';
export { fetchIssuer } from './fetch-issuer.ts';
export {
  combinedRevocationSource,
  httpRevocationSource,
  staticRevocationSource,
} from './sources.ts';
