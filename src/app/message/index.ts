/** Messages to people: put into a transaction, sent later by a worker. */
export * from './deliver.ts';
export * from './message-service.ts';
export {
  type NotifiedPersons,
  nobodyNotified,
  queueMessage,
  queueMessages,
  requireChannel,
} from './queue.ts';
export { messageTerms } from './retry.ts';
