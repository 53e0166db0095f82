/** Messages to people: put into a transaction, sent later by a worker. */
export * from './deliver.ts';
export * from './message-service.ts';
export * from './queue.ts';
export * from './retry.ts';
