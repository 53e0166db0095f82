/** The development trust: a test PKI with revocation status, created on first use. */
export {
  type DevelopmentKey,
  type DevelopmentTrust,
  type DevelopmentTrustOptions,
  hasDevelopmentTrust,
  openDevelopmentTrust,
} from './development-trust.ts';
export type { PersonRequest } from './issue.ts';
