import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { WorkerThread } from './threads/thread-channel.ts';

/**
 * Memory of JavaScript values; bytes of documents stand beside it. A thread that needs more is
 * ended. Both bounds make V8 collect early: threads of several processes add up (ADR 0024).
 */
export const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };

/** A search makes many small objects: with room for them it takes a tenth less CPU (ADR 0072). */
export const searchLimits = { ...resourceLimits, maxYoungGenerationSizeMb: 48 };

/** Starts a thread of this package. */
export async function threadStarter(limits = resourceLimits): Promise<() => WorkerThread> {
  const { Worker } = await import('node:worker_threads');
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  const file = join(dirname(manifest), 'bin/serve-thread.cjs');
  return () => new Worker(file, { resourceLimits: limits }) as WorkerThread;
}
