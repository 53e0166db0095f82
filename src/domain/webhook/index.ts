/** Rules of webhooks: payloads, signatures, schedules, circuit breaker. */
export { admit, afterFailure, afterSuccess, closed, switchedOff } from './breaker.ts';
export * from './event-signature.ts';
export * from './outcome.ts';
export * from './payload.ts';
export * from './sample-process.ts';
export * from './schedule.ts';
export * from './standard-signature.ts';
export * from './verify-webhook.ts';
export type * from './webhook.ts';
