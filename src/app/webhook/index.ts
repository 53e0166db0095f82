/** Webhooks: events are recorded with the change; workers deliver them; owners manage webhooks. */
export { type DeliverPorts, deliverDueWebhooks } from './deliver.ts';
export {
  obtainSignatureKey,
  type RecordPorts,
  recordEvents,
  recordLogin,
} from './record-events.ts';
export type {
  CreateWebhook,
  DeliveryQuery,
  DeliveryView,
  HeardEvent,
  ListenRequest,
  PingOutcome,
  ReplayRequest,
  TriggerRequest,
  WebhookChange,
  WebhookListener,
  WebhookPorts,
  WebhookView,
  WebhookWithSecret,
} from './webhook.types.ts';
export { type WebhookService, webhookOperations } from './webhook-service.ts';
