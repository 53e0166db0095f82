import { codeOf } from '../../base/errors.ts';
import type { JobKind } from '../../domain/process/index.ts';
import type { Job } from '../ports/index.ts';
import type { ServicePorts } from './ports.ts';

/** Does the jobs of one kind; the job is finished or released in the transaction of the result. */
export interface JobHandler {
  readonly kind: JobKind;
  run(job: Job): Promise<void>;
}

/** How a worker takes its jobs. */
export interface WorkerOptions {
  /** Unpredictable name of this worker: the fence of its leases. */
  readonly owner: string;
  /** Time after which a job of a worker that died is done by another. */
  readonly leaseMs: number;
  /** No job of these kinds waits for longer, or is held for longer: as that of a claim. */
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
/** Wait for a clock that is behind what was written. */
const CLOCK_WAIT_MS = 600_000;

/**
 * Does the jobs that are due now, and says how many. Handlers put external effects under keys of
 * their own (message id, webhook id), so a job that runs twice after a crash has one effect.
 */
export async function runDueJobs(
  ports: Pick<ServicePorts, 'store' | 'now'>,
  handlers: readonly JobHandler[],
  { owner, leaseMs, limit, kinds, horizonMs, signal, failed }: WorkerOptions,
): Promise<number> {
  const wanted = handlers.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  const claimedAtMs = ports.now();
  const jobs = await ports.store.claimJobs({
    owner,
    kinds: wanted.map(({ kind }) => kind),
    nowMs: claimedAtMs,
    leaseMs,
    limit,
    ...(horizonMs === undefined ? {} : { horizonMs }),
  });
  const release = ({ kind, ref }: Job, runAtMs: number, isCounted: boolean) =>
    ports.store.write((unit) => unit.jobs.release(kind, ref, owner, runAtMs, isCounted));
  let done = 0;
  for (const job of jobs) {
    // Its lease may end before its work does: it is left to whoever comes first.
    if (signal?.aborted === true || ports.now() - claimedAtMs > leaseMs / 2) {
      await release(job, job.runAtMs, false);
      continue;
    }
    done += 1;
    const handler = wanted.find(({ kind }) => kind === job.kind);
    try {
      await handler?.run(job);
    } catch (error) {
      failed(job, error);
      const code = codeOf(error);
      const isAhead = code === 'clock.back';
      const laterMs = RETRY_FIRST_MS * 2 ** (job.attempts - 1);
      const waitMs = isAhead ? CLOCK_WAIT_MS : Math.min(laterMs, RETRY_LAST_MS);
      // A full or busy store, or a wrong clock, is no fault of the job.
      const isCounted = !isAhead && !code.startsWith('store.');
      await release(job, ports.now() + waitMs, isCounted);
    }
  }
  return done;
}
