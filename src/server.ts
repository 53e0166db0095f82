/**
 * Entry «innsigli/server»: HTTP faces. Today: the RFC 3161 time-stamp authority with the OCSP
 * answers, CRLs and certificates around it.
 */
export { startTrustServer, type TrustServerOptions } from './adapters/tsa/index.ts';
