/** Webhooks: events are recorded with the change, delivered by workers, kept by their owners. */
export { type DeliverPorts, deliverClaimed, openLine } from './deliver.ts';
export { type DrainOptions, deliverDueWebhooks } from './drain.ts';
export { obtainSignatureKey, type RecordPorts, recordEvents, recordLogin } from './record.ts';
export type {
  CreateWebhook,
  DeliveryQuery,
  DeliveryView,
  HeardEvent,
  ListenRequest,
  OpenReceiver,
  PingOutcome,
  ReplayRequest,
  TriggerRequest,
  WebhookChange,
  WebhookListener,
  WebhookPorts,
  WebhookView,
  WebhookWithSecret,
} from './webhook.types.ts';
export { type WebhookService, webhookService } from './webhook-service.ts';
