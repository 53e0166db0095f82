import { openSemaphore } from '../../../base/semaphore.ts';
import type { BatchTask, ItemResult } from '../batch.types.ts';
import type { ItemWorker } from './worker.ts';

/** Distribution of documents to workers. */
export interface RunOptions {
  /** Each worker takes the next task when it is free. */
  readonly tasks: AsyncIterator<BatchTask>;
  readonly workers: readonly ItemWorker[];
  /** Maximum total size of the inputs in progress; a larger input is processed alone. */
  readonly maxInflightBytes: number;
  /** True if no further document may be started. */
  mayStop(): boolean;
  /** Called for each result, in the order of completion. An error it throws ends the run. */
  settle(task: BatchTask, result: ItemResult): Promise<void>;
}

/** Maximum number of results waiting for the disk before workers wait for them. */
const settlingMax = 64;

/**
 * Runs until there are no more tasks or the run should stop; documents in progress are finished.
 *
 * @throws the first error of `settle` or the iterator
 */
export async function runTasks(options: RunOptions): Promise<void> {
  const { tasks, workers, mayStop, settle } = options;
  const memory = openSemaphore(options.maxInflightBytes);
  const settling = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const mayEnd = () => failure !== undefined || mayStop();
  const settleSoon = (task: BatchTask, result: ItemResult) => {
    const work = settle(task, result)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => settling.delete(work));
    settling.add(work);
  };
  const serve = async (worker: ItemWorker) => {
    while (!mayEnd()) {
      const { value: task, done } = await tasks.next();
      if (done) return;
      await memory.run(task.sizeBytes, async () => {
        if (!mayEnd()) settleSoon(task, await worker.run(task));
      });
      if (settling.size > settlingMax) await Promise.race(settling);
    }
  };
  const ends = await Promise.allSettled(workers.map(serve));
  await Promise.all(settling);
  if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * Spaces calls evenly: at most `perMinute` of them per minute.
 *
 * @param wait resolves after this number of milliseconds
 */
export function openPacer(
  perMinute: number | undefined,
  now: () => number,
  wait: (timeMs: number) => Promise<void>,
): () => Promise<void> {
  if (perMinute === undefined) return () => Promise.resolve();
  const spaceMs = 60_000 / perMinute;
  let nextMs = 0;
  return async () => {
    const nowMs = now();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + spaceMs;
    if (turnMs > nowMs) await wait(turnMs - nowMs);
  };
}
