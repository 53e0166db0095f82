/** Webhook rules: payloads, signatures, schedules, circuit breaker. */
export { admit, afterFailure, afterSuccess, closed, withDisabled } from './breaker.ts';
export {
  type EventSignature,
  type SignatureFault,
  type SignatureVerdict,
  signEvent,
  ticksText,
  verifyEventSignature,
} from './event-signature.ts';
export {
  type Attempt,
  attempted,
  type DeliveryResult,
  ended,
  isReceiverFailing,
  postponed,
} from './outcome.ts';
export {
  attachmentUrl,
  buildLoginPayload,
  buildPayload,
  type Download,
  webhookDate,
} from './payload.ts';
export { sampleEvent } from './sample-process.ts';
export { longestWaitMs, nextWaitMs, parseRetryAfter } from './schedule.ts';
export {
  newWebhookSecret,
  requireWebhookSecret,
  standardHeaders,
  verifyStandardSignature,
} from './standard-signature.ts';
export {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookSecrets,
  type WebhookVerification,
} from './verify-webhook.ts';
export type * from './webhook.ts';
