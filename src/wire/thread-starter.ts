import type { WorkerThread } from './threads/thread-channel.ts';

/**
 * Memory of JavaScript values; bytes of documents stand beside it. A thread that needs more is
 * ended. What is short-lived is collected early: threads of several processes add up.
 */
export const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 8 };

/** Starts a thread of this package. */
export async function threadStarter(): Promise<() => WorkerThread> {
  const { Worker } = await import('node:worker_threads');
  // As far from here as from the bundle: this file stands where it stands for that.
  const file = new URL('../../bin/serve-thread.cjs', import.meta.url);
  return () => new Worker(file, { resourceLimits }) as WorkerThread;
}
