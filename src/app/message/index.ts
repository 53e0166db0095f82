/** Messages to people: put into a transaction, sent later by a worker. */
export { deliverMessage, type MessagePorts } from './deliver.ts';
export {
  type MessageKeepingPorts,
  type MessageQuery,
  type MessageToolkit,
  type MessageView,
  messageToolkit,
  type RetriedMessages,
} from './message-toolkit.ts';
export { requireChannel } from './open-channel.ts';
export { type QueuePorts, queueMessage, queueMessages } from './queue.ts';
export { type Receipt, type ReceiptToolkit, receiptToolkit } from './receipts.ts';
export { heldDelayMs, messageTerms, retryDelayMs } from './retry.ts';
export { nobodyTold, type ToldPersons } from './told.ts';
