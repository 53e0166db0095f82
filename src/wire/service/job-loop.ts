import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../base/errors.ts';
import type { Service } from './service.types.ts';

/** Told of a job that failed, and why if that is known; it comes again unless it was given up. */
export type JobFailed = (kind: string, ref: string, code: string, why?: string) => void;

/** Jobs that were done, and those that failed. */
export interface Worked {
  readonly done: number;
  readonly failed: number;
}

/** Jobs under way. */
export interface JobLoop {
  /** Resolves when the job at hand is done; no further one is begun. */
  stop(): Promise<void>;
  /** Cuts off what is under way, where it can: the lease lapses, and another does the job. */
  end(): Promise<void>;
}

const WORK_EVERY_MS = 1000;

/**
 * Does what is due, again and again.
 *
 * @param told called with the counts of the service when something was done
 */
export function startJobs(
  service: Pick<Service, 'work' | 'worked'>,
  jobFailed?: JobFailed,
  told?: (worked: Worked) => void,
): JobLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      try {
        const { done } = await service.work(undefined, signal, ({ kind, ref, code, why }) => {
          jobFailed?.(kind, ref, code, why);
          told?.(service.worked);
        });
        if (done > 0) told?.(service.worked);
      } catch (error) {
        // A busy or lost database comes back; what was due stays due.
        jobFailed?.('worker', '', codeOf(error));
      }
      await sleep(WORK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
    end: async () => undefined,
  };
}
