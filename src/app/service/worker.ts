import { defined } from '../../base/defined.ts';
import { codeOf } from '../../base/errors.ts';
import type { JobKind } from '../../domain/process/index.ts';
import { type JobLeases, openLeases } from '../job-leases.ts';
import { FULL_WAIT_MS, isHostFault, isStoreAway } from '../patient-store.ts';
import type { Job } from '../ports/index.ts';
import type { ServicePorts } from './group.ts';

/** Runs the jobs of one kind. The transaction of the result finishes or releases the job. */
export interface JobHandler {
  readonly kind: JobKind;
  run(job: Job): Promise<void>;
}

/** Options of {@link runDueJobs}. */
export interface WorkerOptions {
  /** Unpredictable name of this worker: the fencing token of its leases. */
  readonly owner: string;
  /** Time after which a crashed worker's job is taken over. A running worker renews its leases. */
  readonly leaseMs: number;
  /** Leases of the whole program, released after an outage. Default: leases of this call. */
  readonly leases?: JobLeases;
  /** Maximum delay of a job of these kinds, as in {@link JobClaim.horizonMs}. */
  readonly horizonMs?: number;
  /** Maximum number of jobs per claim. */
  readonly limit: number;
  /** Only these kinds. Default: all kinds of the handlers. */
  readonly kinds?: readonly JobKind[];
  /** When aborted, jobs that have not started are released. */
  readonly signal?: AbortSignal;
  /** Called with a job that threw. The job is released and retried. */
  failed(job: Job, error: unknown): void;
}

/** Delay before a job that threw is retried: 10 s, 20 s, … up to an hour. */
const RETRY_FIRST_MS = 10_000;
const RETRY_LAST_MS = 3_600_000;
/** Delay after an outage of the store. */
const STORE_WAIT_MS = 1000;
/** Delay if the clock is incorrect. */
const CLOCK_WAIT_MS = 600_000;
/** Delay after a log was found to differ from its process, in milliseconds. */
const LOG_WAIT_MS = 86_400_000;

/**
 * Runs the due jobs and returns their number. Handlers give external effects their own keys
 * (message ID, webhook ID), so that a job that runs twice after a crash has one effect.
 */
export async function runDueJobs(
  ports: Pick<ServicePorts, 'store' | 'now'>,
  handlers: readonly JobHandler[],
  options: WorkerOptions,
): Promise<number> {
  const { owner, leaseMs, limit, kinds, horizonMs, signal, failed } = options;
  const leases = options.leases ?? openLeases(ports);
  const wanted = handlers.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  const claimedAtMs = ports.now();
  const jobs = await leases.claim({
    owner,
    kinds: wanted.map(({ kind }) => kind),
    nowMs: claimedAtMs,
    leaseMs,
    limit,
    ...defined({ horizonMs }),
  });
  const waiting = [...jobs];
  let done = 0;
  try {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const { kind } = job;
      // Stopped, or the previous jobs took too long: leave it to the next worker.
      if (signal?.aborted === true || ports.now() - claimedAtMs > leaseMs / 2) {
        await leases.giveBack(job, job.runAtMs, false);
        continue;
      }
      done += 1;
      const handler = wanted.find((each) => each.kind === kind);
      try {
        await handler?.run(job);
        leases.forget(job);
      } catch (error) {
        failed(job, error);
        const code = codeOf(error);
        // An incorrect clock or a fault of the host is not a failed attempt of the job.
        const isCounted = !code.startsWith('clock.') && !isHostFault(code);
        await leases.giveBack(job, ports.now() + waitAfter(job, error), isCounted);
      }
    }
    return done;
  } finally {
    // After an exception the remaining leases are no longer renewed.
    for (const job of waiting) leases.forget(job);
  }
}

function waitAfter({ attempts }: Job, error: unknown): number {
  if (codeOf(error).startsWith('clock.')) return CLOCK_WAIT_MS;
  if (codeOf(error) === 'activity.chain.broken') return LOG_WAIT_MS;
  if (codeOf(error) === 'store.full') return FULL_WAIT_MS;
  // The job cannot be released until the store is back.
  if (isStoreAway(error)) return STORE_WAIT_MS;
  return Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_LAST_MS);
}
