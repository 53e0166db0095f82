/** The development trust: a test PKI made on first use, with answers about its certificates. */
export {
  type DevelopmentKey,
  type DevelopmentTrust,
  type DevelopmentTrustOptions,
  hasDevelopmentTrust,
  openDevelopmentTrust,
} from './development-trust.ts';
export type { PersonRequest } from './issue.ts';
