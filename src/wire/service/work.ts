import { setTimeout as sleep } from 'node:timers/promises';
import { anchorCompany } from '../../app/activity/index.ts';
import type { FailedJob, WorkReport } from '../../app/company-service.ts';
import { finalizeProcess, finalizeTerms } from '../../app/finalize/index.ts';
import { openLeases } from '../../app/job-leases.ts';
import { deliverMessage, messageTerms } from '../../app/message/index.ts';
import type { Job, JobFailure } from '../../app/ports/index.ts';
import { expireProcess, purgeProcess } from '../../app/process/index.ts';
import { remindDue } from '../../app/reminder/index.ts';
import { rescreenDue } from '../../app/screening/index.ts';
import {
  type JobHandler,
  type JobLane,
  runConcurrently,
  runDueJobs,
} from '../../app/service/index.ts';
import { claimDay, collectContents, ownStoreCheck, releaseDay } from '../../app/storage/index.ts';
import { deliverDueWebhooks } from '../../app/webhook/index.ts';
import { codeOf, isInnsigliError } from '../../base/errors.ts';
import type { JobKind } from '../../domain/process/index.ts';
import type { WiredPorts } from './ports.ts';
import type { Service } from './service.types.ts';

/**
 * Runs the due jobs of `kinds` of all companies.
 *
 * @param told called immediately with each job that failed, since the run may take long or fail
 */
export type Work = (
  kinds: readonly JobKind[],
  stop?: AbortSignal,
  told?: (failed: FailedJob) => void,
) => Promise<WorkReport>;

type Report = (job: Job, failure: JobFailure | undefined) => void;

/** Batch size and lease of jobs. A job of a crashed worker is repeated after its lease. */
const TERMS = { limit: 8, leaseMs: 60_000 };
const TERMS_OF: { readonly [Kind in JobKind]?: Partial<typeof messageTerms> } = {
  message: messageTerms,
  finalize: finalizeTerms,
};
const WEBHOOKS_AT_ONCE = 256;
/** Jobs that would run too early with a wrong clock, and cannot be undone. */
const kindsByTheDay: ReadonlySet<JobKind> = new Set(['anchor', 'expire', 'purge']);
/** Retention time of one-time codes and e-ID sessions after they expire, as part of the history. */
const CHALLENGE_KEPT_MS = 30 * 86_400_000;
const DAY_MS = 86_400_000;

/** Opens the job runner of a service. */
export function openWork(ports: WiredPorts): Work {
  const tidy = dailyTidying(ports);
  const leases = openLeases({ ...ports, ownFact: ownStoreCheck(ports) });
  return async (kinds, stop, told) => {
    await leases.settle();
    const owner = Buffer.from(ports.random(12)).toString('hex');
    const failed: FailedJob[] = [];
    const report: Report = ({ kind, ref }, failure) => {
      if (failure === undefined) return;
      const one = { kind, ref, ...failure };
      failed.push(one);
      told?.(one);
    };
    const mayWork = (await ports.clockWatch?.mayWork()) ?? true;
    const handlers = handlersOf(ports, tidy, report);
    const threw = (job: Job, error: unknown) =>
      report(job, { code: codeOf(error), isFinal: false });
    const laneOf = (kind: JobKind): JobLane => {
      const common = { owner: `${owner}.${kind}`, failed: threw, leases };
      if (kind === 'webhook') {
        const limit = WEBHOOKS_AT_ONCE;
        return (signal) => deliverDueWebhooks(ports, { ...common, limit, signal, missed: report });
      }
      const options = { ...TERMS, ...TERMS_OF[kind], ...common, kinds: [kind] };
      return (signal) => runDueJobs(ports, handlers, { ...options, signal });
    };
    const doable = new Set(kinds.filter((kind) => mayWork || !kindsByTheDay.has(kind)));
    const counts = new Map<JobKind, number>();
    const counted = (kind: JobKind): JobLane => {
      const lane = laneOf(kind);
      return async (signal) => {
        const count = await lane(signal);
        counts.set(kind, (counts.get(kind) ?? 0) + count);
        return count;
      };
    };
    const taken = await runConcurrently([...doable].map(counted), stop);
    await ports.store.checkpoint();
    // One job can report two failures.
    const jobs = new Map(failed.map((one) => [`${one.kind} ${one.ref}`, one.kind]));
    for (const kind of jobs.values()) counts.set(kind, (counts.get(kind) ?? 0) - 1);
    const deeds = Object.fromEntries([...counts].filter(([, count]) => count > 0));
    return { done: taken - jobs.size, kinds: deeds, failed };
  };
}

/** Handlers of every kind except webhooks, which are delivered concurrently. */
function handlersOf(
  ports: WiredPorts,
  tidy: () => Promise<JobFailure | undefined>,
  report: Report,
): readonly JobHandler[] {
  const byTheDay = async (run: () => Promise<void>) => {
    await ports.clockWatch?.requireTrusted();
    await run();
  };
  return [
    { kind: 'finalize', run: async (job) => report(job, await finalizeProcess(job, ports)) },
    { kind: 'message', run: async (job) => report(job, await deliverMessage(job, ports)) },
    { kind: 'remind', run: (job) => remindDue(job, ports) },
    { kind: 'expire', run: (job) => byTheDay(() => expireProcess(job, ports)) },
    {
      kind: 'anchor',
      run: (job) =>
        byTheDay(async () => {
          report(job, await anchorCompany(job, { ...ports, timestamps: await ports.timestamps() }));
          report(job, await tidy());
        }),
    },
    { kind: 'rescreen', run: (job) => rescreenDue(job, ports) },
    {
      kind: 'purge',
      run: (job) => byTheDay(async () => report(job, await purgeProcess(job, ports))),
    },
  ];
}

/**
 * Deletes expired rows and unreferenced blobs. All of them are examined, so one worker does it once
 * a day. A refused collection is reported as a failure of the current job.
 */
function dailyTidying(ports: WiredPorts): () => Promise<JobFailure | undefined> {
  let tidiedOn = -1;
  return async () => {
    const today = Math.floor(ports.now() / DAY_MS);
    if (today === tidiedOn) return undefined;
    const before = ports.now() - CHALLENGE_KEPT_MS;
    await ports.store.write(async (unit) => {
      await unit.challenges.removeExpired(before);
      await unit.formDrafts.removeForgotten(ports.now());
      await unit.webhooks.removeUnbound(before);
    });
    const failure = (await claimDay(ports)) ? await collect(ports) : undefined;
    tidiedOn = today;
    return failure;
  };
}

async function collect(ports: WiredPorts): Promise<JobFailure | undefined> {
  try {
    await collectContents(ports);
    return undefined;
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'store.collect.refused') {
      return { code: error.code, why: error.message, isFinal: false };
    }
    await releaseDay(ports);
    throw error;
  }
}

/** Called with a failed job, and the reason if known. The job is retried unless given up. */
export type JobFailed = (kind: string, ref: string, code: string, why?: string) => void;

/** Numbers of completed and failed jobs. */
export interface Worked {
  readonly done: number;
  readonly failed: number;
}

/** Running job loop. */
export interface JobLoop {
  /** Resolves when the current job is completed. No further job is started. */
  stop(): Promise<void>;
  /** Aborts jobs in progress if possible. Their leases expire, and another worker repeats them. */
  end(): Promise<void>;
}

const WORK_EVERY_MS = 1000;

/**
 * Runs due jobs repeatedly.
 *
 * @param told called with the counts of the service when they have changed
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
        // A busy or lost database comes back, and due jobs stay due.
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
