/** Webhooks: events are recorded with the change, delivered by workers, kept by their owners. */
export * from './deliver.ts';
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
} from './manage.ts';
export { obtainSignatureKey, type RecordPorts, recordEvents, recordLogin } from './record.ts';
export * from './webhook-service.ts';
