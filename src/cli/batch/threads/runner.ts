import type { BatchTask, ItemResult } from '../batch.types.ts';
import type { ItemWorker } from './worker.ts';

/** How documents are given to workers. */
export interface RunOptions {
  /** Each worker takes the next one when it is free. */
  readonly tasks: AsyncIterator<BatchTask>;
  readonly workers: readonly ItemWorker[];
  /** Sizes of all inputs that are worked on together; a larger one goes alone. */
  readonly maxInflightBytes: number;
  /** True when no further document shall be begun. */
  mayStop(): boolean;
  /** Called for each result, in the order of completion. An error of it ends the run. */
  settle(task: BatchTask, result: ItemResult): Promise<void>;
}

/** Results that may wait for the disk before workers wait for them. */
const settlingMax = 64;

/**
 * Works until there are no tasks or the run shall stop; documents that were begun are finished.
 *
 * @throws what `settle` or the iterator threw first
 */
export async function runTasks(options: RunOptions): Promise<void> {
  const { tasks, workers, mayStop, settle } = options;
  const room = openRoom(options.maxInflightBytes);
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
      await room.take(task.sizeBytes);
      try {
        if (mayEnd()) return;
        settleSoon(task, await worker.run(task));
      } finally {
        room.give(task.sizeBytes);
      }
      if (settling.size > settlingMax) await Promise.race(settling);
    }
  };
  const ends = await Promise.allSettled(workers.map(serve));
  await Promise.all(settling);
  if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Counts bytes: who wants more than is left waits, in turn; an empty room takes any size. */
export function openRoom(maxBytes: number): {
  take(sizeBytes: number): Promise<void>;
  give(sizeBytes: number): void;
} {
  const queue: { readonly sizeBytes: number; readonly enter: () => void }[] = [];
  let usedBytes = 0;
  let inside = 0;
  const admit = () => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (inside > 0 && usedBytes + next.sizeBytes > maxBytes) return;
      queue.shift();
      inside += 1;
      usedBytes += next.sizeBytes;
      next.enter();
    }
  };
  return {
    take: (sizeBytes) =>
      new Promise((enter) => {
        queue.push({ sizeBytes, enter });
        admit();
      }),
    give(sizeBytes) {
      inside -= 1;
      usedBytes -= sizeBytes;
      admit();
    },
  };
}

/**
 * Spaces calls evenly: at most `perMinute` of them in a minute.
 *
 * @param wait resolves after so many milliseconds
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
