import type { BatchCommand, BatchSummary, ItemResult, Verdict } from '../batch.types.ts';
import { isSettled } from '../refusals.ts';

/** Counts results as they come. */
export interface BatchCounts {
  add(result: ItemResult): void;
  /** `total`: documents that were planned; absent: those that were counted. */
  summary(elapsedMs: number, interrupted: boolean, total?: number): BatchSummary;
}

/** Nothing is counted yet. */
export function openCounts(command: BatchCommand): BatchCounts {
  const counts = { done: 0, skipped: 0, failed: 0 };
  let open = 0;
  const sums = { inputBytes: 0, outputBytes: 0, timestampRequests: 0 };
  const verdicts: Partial<Record<Verdict, number>> = {};
  return {
    add(result) {
      counts[result.status] += 1;
      if (result.error !== undefined && !isSettled(result.error.code)) open += 1;
      sums.inputBytes += result.inputBytes;
      sums.outputBytes += result.outputBytes ?? 0;
      sums.timestampRequests += result.timestampRequests ?? 0;
      const { verdict } = result;
      if (verdict !== undefined) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    },
    summary(elapsedMs, interrupted, total = counts.done + counts.skipped + counts.failed) {
      const checked = command === 'verify' ? { verdicts: { ...verdicts } } : {};
      return { total, ...counts, open, ...sums, elapsedMs, interrupted, ...checked };
    },
  };
}
