/** Webhooks: events are recorded with the change, delivered by workers, kept by their owners. */
export { type DeliverPorts, deliverDueWebhooks } from './deliver.ts';
export {
  obtainSignatureKey,
  type RecordPorts,
  recordEvents,
  recordLogin,
} from './record-events.ts';
export type * from './webhook.types.ts';
export * from './webhook-service.ts';
