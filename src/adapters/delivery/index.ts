/** Transport of webhooks, and a local receiver for them. */
export {
  openWebhookReceiver,
  type ReceivedPost,
  type ReceiverOptions,
} from './webhook-receiver.ts';
export { type TransportOptions, webhookTransport } from './webhook-transport.ts';
