import { defined } from '../../base/defined.ts';
import { type JobLeases, openLeases } from '../job-leases.ts';
import type { Job, JobFailure } from '../ports/index.ts';
import {
  type DeliverPorts,
  deliverClaimed,
  deliveryHorizonMs,
  deliveryLeaseMs,
  openLine,
} from './deliver.ts';

/** How {@link deliverDueWebhooks} takes its jobs. */
export interface DrainOptions {
  /** Unpredictable; each claim adds a number to it. */
  readonly owner: string;
  /** Jobs held at the same time. */
  readonly limit: number;
  /** Only these deliveries; all that are due when left out. */
  readonly refs?: readonly string[];
  /** Ends the work after what is under way. */
  readonly signal?: AbortSignal;
  /** Told of a job that could not be done and comes again; without it the first error is thrown. */
  failed?(job: Job, error: unknown): void;
  /** Those of the program; left out: of this call. */
  readonly leases?: JobLeases;
  /** Told of an attempt that its receiver did not take, or that was not possible. */
  missed?(job: Job, failure: JobFailure): void;
}

/** Wait before a job that failed for reasons of ours is taken again. */
const failedWaitMs = 10_000;
/** While all that is under way is slow, others become due. */
const lookAgainMs = 500;

/**
 * Delivers what is due, and gives how many jobs that were. New jobs are taken while
 * earlier ones are still on their way, so a slow receiver does not keep the others waiting.
 */
export async function deliverDueWebhooks(
  ports: DeliverPorts,
  { owner, limit, refs, signal, failed, missed, leases = openLeases(ports) }: DrainOptions,
): Promise<number> {
  const line = openLine(ports);
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let [held, count, claims] = [0, 0, 0];
  let ring = (): void => undefined;
  const start = (jobs: readonly Job[]) => {
    held += jobs.length;
    count += jobs.length;
    const settled = (job: Job, failure: JobFailure | undefined) => {
      held--;
      leases.letGo(job);
      if (failure !== undefined) missed?.(job, failure);
      ring();
    };
    const release = async (job: Job, error: unknown) => {
      if (failed === undefined) throw error;
      await leases.giveBack(job, ports.now() + failedWaitMs, true);
      failed(job, error);
    };
    const open = new Set(jobs);
    const ended = (job: Job, failure: JobFailure | undefined) => {
      open.delete(job);
      settled(job, failure);
    };
    const batch = deliverClaimed(jobs, line, ended, release)
      .catch(async (error: unknown) => {
        failures.push(error);
        // None of them was begun: the store did not give what they are about.
        for (const job of open) await leases.giveBack(job, job.runAtMs, false);
      })
      .finally(() => {
        running.delete(batch);
        ring();
      });
    running.add(batch);
  };
  for (;;) {
    const isOver = signal?.aborted === true || failures.length > 0;
    // Not for a few: a claim costs a transaction.
    if (!isOver && held <= limit / 2) {
      const jobs = await leases.claim({
        owner: `${owner}.${++claims}`,
        kinds: ['webhook'],
        ...defined({ refs }),
        nowMs: ports.now(),
        leaseMs: deliveryLeaseMs,
        limit: limit - held,
        horizonMs: deliveryHorizonMs,
      });
      if (jobs.length > 0) {
        start(jobs);
        continue;
      }
    }
    if (running.size === 0) break;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookAgainMs);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  if (failures.length > 0) throw failures[0];
  return count;
}
