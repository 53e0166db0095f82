/** Rules of webhooks: payloads, signatures, schedules, circuit breaker. */
export { admit, afterFailure, afterSuccess, closed, switchedOff } from './breaker.ts';
export {
  type EventSignature,
  type SignatureFault,
  type SignatureVerdict,
  signEvent,
} from './event-signature.ts';
export { type AttemptResult, checkAttempt, isReceiverFailing, type Outcome } from './outcome.ts';
export {
  attachmentUrl,
  buildLoginPayload,
  buildPayload,
  type Download,
  type LoginPayloadInput,
  type PayloadProcess,
} from './payload.ts';
export { type SampleEvent, sampleEvent } from './sample-process.ts';
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
