/**
 * The development trust: a test PKI, created on first use, with revocation status for its
 * certificates.
 */
export {
  type DevelopmentKey,
  type DevelopmentTrust,
  type DevelopmentTrustOptions,
  hasDevelopmentTrust,
  openDevelopmentTrust,
} from './development-trust.ts';
export type { PersonRequest } from './issue.ts';
