/** Posts webhooks to the world, and receives them on this machine. */
export {
  openWebhookReceiver,
  type ReceivedPost,
  type ReceiverOptions,
} from './webhook-receiver.ts';
export { type TransportOptions, webhookTransport } from './webhook-transport.ts';
