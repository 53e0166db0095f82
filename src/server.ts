/**
 * Entry «innsigli/server»: HTTP faces. The interface of the signing service around a toolkit, and
 * the RFC 3161 time-stamp authority with the OCSP answers, CRLs and certificates around it.
 */
export { startTrustServer, type TrustServerOptions } from './adapters/tsa/index.ts';
export type { ServerOptions } from './api/index.ts';
export { buildServer } from './wire/serve/build-server.ts';
