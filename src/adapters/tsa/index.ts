/** Time-stamp authorities: local, over HTTP, and with failover; and their HTTP server. */
export { answerTimestampRequest, signToken, type TimestampIssuer } from './answer-request.ts';
export { type FailoverOptions, failoverTimestampAuthority } from './failover.ts';
export {
  type HttpTimestampAuthority,
  type HttpTimestampOptions,
  httpTimestampAuthority,
} from './http-authority.ts';
export {
  type Found,
  type RunningTrustServer,
  startTrustServer,
  type TrustCallbacks,
  type TrustServerOptions,
} from './http-face.ts';
export {
  type LocalAuthorityOptions,
  localTimestampAuthority,
  type TimestampIdentity,
  timestampIssuer,
} from './local.ts';
