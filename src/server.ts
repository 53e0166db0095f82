/**
 * Entry point `innsigli/server`: the HTTP interface of the signing service, and the RFC 3161
 * time-stamp authority with its OCSP responses, CRLs and certificates.
 */
export {
  type Found,
  type RunningTrustServer,
  startTrustServer,
  type TrustCallbacks,
  type TrustServerOptions,
} from './adapters/tsa/index.ts';
export type {
  BudgetSize,
  BytesHeld,
  FailureLine,
  GuardOptions,
  ServerOptions,
} from './api/index.ts';
export type * from './toolkit.ts';
export { buildServer } from './wire/serve/build-server.ts';
