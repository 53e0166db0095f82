import { defined } from '../../base/defined.ts';
import { codeOf } from '../../base/errors.ts';
import type { JobKind } from '../../domain/process/index.ts';
import { type JobLeases, openLeases } from '../job-leases.ts';
import { FULL_WAIT_MS, isHostFault, isStoreAway } from '../patient-store.ts';
import type { Job } from '../ports/index.ts';
import type { ServicePorts } from './group.ts';

/** Does the jobs of one kind; the job is finished or released in the transaction of the result. */
export interface JobHandler {
  readonly kind: JobKind;
  run(job: Job): Promise<void>;
}

/** Options of a worker. */
export interface WorkerOptions {
  /** Unpredictable name of this worker: the fence of its leases. */
  readonly owner: string;
  /** Time after which a job of a worker that died is done by another; renewed while it lives. */
  readonly leaseMs: number;
  /** Leases of the program, which are returned after an outage; left out: those of this call. */
  readonly leases?: JobLeases;
  /** No job of these kinds waits for longer: as that of a claim. */
  readonly horizonMs?: number;
  /** Jobs taken at once. */
  readonly limit: number;
  /** Only these kinds; all kinds of the handlers when left out. */
  readonly kinds?: readonly JobKind[];
  /** Jobs that were not begun when it is aborted are given back. */
  readonly signal?: AbortSignal;
  /** Told of a job that threw: it is released and comes again. */
  failed(job: Job, error: unknown): void;
}

/** Wait before a job that threw is tried again: 10 s, 20 s, … an hour. */
const RETRY_FIRST_MS = 10_000;
const RETRY_LAST_MS = 3_600_000;
/** Wait after an outage of the store. */
const STORE_WAIT_MS = 1000;
/** Wait for a clock that is wrong. */
const CLOCK_WAIT_MS = 600_000;
/** Wait after a log was found to differ from its process, in milliseconds. */
const LOG_WAIT_MS = 86_400_000;

/**
 * Does the jobs that are due now, and says how many. Handlers put external effects under keys of
 * their own (message id, webhook id), so a job that runs twice after a crash has one effect.
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
      // The previous ones took long: it is left to the next worker.
      if (signal?.aborted === true || ports.now() - claimedAtMs > leaseMs / 2) {
        await leases.giveBack(job, job.runAtMs, false);
        continue;
      }
      done += 1;
      const handler = wanted.find((each) => each.kind === kind);
      try {
        await handler?.run(job);
        leases.letGo(job);
      } catch (error) {
        failed(job, error);
        const code = codeOf(error);
        // Nor is a wrong clock a fault of the job.
        const isCounted = !code.startsWith('clock.') && !isHostFault(code);
        await leases.giveBack(job, ports.now() + waitAfter(job, error), isCounted);
      }
    }
    return done;
  } finally {
    // After a fault nobody comes back to them.
    for (const job of waiting) leases.letGo(job);
  }
}

function waitAfter({ attempts }: Job, error: unknown): number {
  if (codeOf(error).startsWith('clock.')) return CLOCK_WAIT_MS;
  if (codeOf(error) === 'activity.chain.broken') return LOG_WAIT_MS;
  if (codeOf(error) === 'store.full') return FULL_WAIT_MS;
  // It cannot be given back before the store is there again.
  if (isStoreAway(error)) return STORE_WAIT_MS;
  return Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_LAST_MS);
}
