/** Outgoing HTTP requests: guarded addresses, limits on time and size, proxy support. */
export { type HttpAnswer, type HttpClient, openHttpClient } from './client.ts';
export type { ResolveName } from './connect.ts';
export { HttpFailure } from './failure.ts';
export { certificateGuard, operatorGuard, policyGuard } from './guard.ts';
export type { ClientCertificate } from './tls-options.ts';
export { decodeUserInfo } from './tunnel.ts';
