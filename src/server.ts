/**
 * Entry «innsigli/server»: the HTTP interface of the signing service, and the RFC 3161 time-stamp
 * authority with the OCSP responses, CRLs and certificates around it.
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
