/** Messages to people: put into a transaction, sent later by a worker. */
export { deliverMessage, type MessagePorts } from './deliver.ts';
export {
  type MessageKeepingPorts,
  type MessageQuery,
  type MessageService,
  type MessageView,
  messageService,
  type RetriedMessages,
} from './message-service.ts';
export { type NotifiedPersons, nobodyNotified } from './notified.ts';
export { requireChannel } from './open-channel.ts';
export { type QueuePorts, queueMessage, queueMessages } from './queue.ts';
export { type Receipt, type ReceiptService, receiptService } from './receipts.ts';
export { heldDelayMs, messageTerms, retryDelayMs } from './retry.ts';
