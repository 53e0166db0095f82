/** Many documents in one run: the batches of seal, archive and verify. */
export type { BatchCommand, BatchOptions, BatchSummary, ItemResult } from './batch.types.ts';
export { readNameList, requireMatches, selectInputs } from './plan/selection.ts';
export { runBatch } from './run-batch.ts';
export { serveThread } from './threads/worker.ts';
