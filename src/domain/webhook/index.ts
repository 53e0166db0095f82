/** Rules of webhooks: payloads, signatures, schedules, circuit breaker. */
export { admit, afterFailure, afterSuccess, closed, switchedOff } from './breaker.ts';
export { type SignatureVerdict, signEvent } from './event-signature.ts';
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
} from './payload.ts';
export { sampleEvent } from './sample-process.ts';
export { longestWaitMs } from './schedule.ts';
export {
  newWebhookSecret,
  requireWebhookSecret,
  standardHeaders,
} from './standard-signature.ts';
export {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookSecrets,
  type WebhookVerification,
} from './verify-webhook.ts';
export type {
  DeliveryAttempt,
  DeliveryState,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
} from './webhook.ts';
