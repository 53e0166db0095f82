import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { WorkerThread } from './threads/thread-channel.ts';

/**
 * Heap limits of a thread. Bytes of documents are not included. A thread that needs more is
 * terminated. Both limits make V8 collect garbage early, because threads of several processes add
 * up (ADR 0024).
 */
export const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/** Searches create many objects: a larger young generation saves a tenth of CPU (ADR 0072). */
export const searchLimits = { ...resourceLimits, maxYoungGenerationSizeMb: 48 };

/** Returns a function that starts a thread of this package. */
export async function threadStarter(limits = resourceLimits): Promise<() => WorkerThread> {
  const { Worker } = await import('node:worker_threads');
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  const file = join(dirname(manifest), 'bin/serve-thread.cjs');
  return () => new Worker(file, { resourceLimits: limits }) as WorkerThread;
}
