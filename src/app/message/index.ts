/** Messages to people: queued in a transaction, sent later by a worker. */
export { deliverMessage, type MessagePorts } from './deliver.ts';
export {
  type MessageQuery,
  type MessageService,
  type MessageView,
  messageOperations,
  type Receipt,
  type ReceiptService,
  type RetriedMessages,
  receiptOperations,
} from './message-service.ts';
export {
  type NotifiedPersons,
  notificationTracker,
  queueMessage,
  queueMessages,
  requireChannel,
} from './queue.ts';
export { messageTerms } from './retry.ts';
