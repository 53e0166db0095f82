/** Sources of OCSP responses, CRLs and issuer certificates. */
export { type FetchLimits, type FetchOptions, fetchBytes } from './fetch-bytes.ts';
export type { CrlCache, InquiryOptions } from './sources.ts';
export {
  combinedRevocationSource,
  httpRevocationSource,
  inquiringRevocationSource,
  staticRevocationSource,
} from './sources.ts';
