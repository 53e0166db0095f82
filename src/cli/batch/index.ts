/** Many documents in one run: the batch behind seal, archive and verify. */
export type { BatchCommand, BatchOptions, BatchSummary, ItemResult } from './batch.types.ts';
export { runBatch } from './run-batch.ts';
export { serveThread } from './threads/worker.ts';
