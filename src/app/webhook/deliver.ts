import { defined } from '../../base/defined.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { checkAttempt, longestWaitMs } from '../../domain/webhook/index.ts';
import { type JobLeases, openLeases } from '../job-leases.ts';
import type { Job, JobFailure } from '../ports/index.ts';
import { openPlaces, type Places } from './places.ts';
import { type Parcel, planJobs } from './plan.ts';
import { type SendPorts, sendEvent, withRoom } from './send.ts';
import {
  type GroupWriter,
  groupWriter,
  type Settlement,
  type SettlePorts,
  settleAll,
} from './settle.ts';

/** What deliveries stand on. */
export type DeliverPorts = SendPorts & SettlePorts;

/** Deliveries of one worker that are under way at the same time. */
const places = { inAll: 256, ofHost: 32, ofWebhook: 16, patienceMs: 1000 };
const offlineWaitMs = 60_000;
/** Time between two looks for a content that is missing, and after which it is given up. */
const contentLookMs = 600_000;
const contentWaitMs = 3 * 86_400_000;

/** Time for which a worker should hold the jobs of a claim; renewed while it lives. */
const deliveryLeaseMs = 60_000;
/** A job that is due later than this from now was planned by a clock that has gone back since. */
const deliveryHorizonMs = longestWaitMs + deliveryLeaseMs;

/** What the deliveries of one worker share. */
interface DeliveryLine {
  readonly ports: DeliverPorts;
  readonly places: Places;
  readonly writer: GroupWriter<Settlement>;
}

/** A line for {@link deliverClaimed}. */
export function openLine(ports: DeliverPorts): DeliveryLine {
  const writer = groupWriter((group: readonly Settlement[]) => settleAll(ports, group));
  return { ports, places: openPlaces(places), writer };
}

/**
 * Makes one attempt for each of the jobs, which were claimed just now, and writes what came of it.
 * Address, secrets and whether it is active are read anew; a job of another worker is left alone.
 * They are sent side by side, and results that come in while others are being written share the
 * next transaction. `settled` is called for each at its end, with what kept it from its receiver;
 * `failed` for each that could not be done for reasons of ours, and may throw.
 */
export async function deliverClaimed(
  jobs: readonly Job[],
  line: DeliveryLine,
  settled: (job: Job, failure: JobFailure | undefined) => void,
  failed: (job: Job, error: unknown) => void | Promise<void>,
): Promise<void> {
  const { ports, writer } = line;
  const claimedAtMs = ports.now();
  const plans = await planJobs(ports.store, jobs, claimedAtMs);
  const works = plans.map(async (plan) => {
    const { job } = plan.kind === 'send' ? plan.parcel : plan;
    let failure: JobFailure | undefined;
    try {
      const settlement =
        plan.kind === 'send' ? await sendInPlace(line, plan.parcel, claimedAtMs) : plan;
      await writer.add(settlement);
      failure = failureOf(settlement, claimedAtMs);
    } catch (error) {
      await failed(job, error);
    } finally {
      settled(job, failure);
    }
  });
  const broken = (await Promise.allSettled(works)).find((each) => each.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
}

async function sendInPlace(
  { ports, places }: DeliveryLine,
  parcel: Parcel,
  claimedAtMs: number,
): Promise<Settlement> {
  const { job, delivery, webhook } = parcel;
  const sent = await places.run(webhook, () => sendOne(ports, parcel, claimedAtMs));
  if ('done' in sent) return sent.done;
  return { kind: 'hold', job, delivery, untilMs: ports.now() + sent.awayMs };
}

async function sendOne(
  ports: DeliverPorts,
  parcel: Parcel,
  claimedAtMs: number,
): Promise<Settlement> {
  const { job, delivery, webhook, event } = parcel;
  try {
    return await withRoom(ports, event, async () => {
      const nowMs = ports.now();
      // It stood in line for long: whoever comes first may have it.
      if (nowMs - claimedAtMs > deliveryLeaseMs / 2)
        return { kind: 'hold', job, delivery, untilMs: nowMs };
      const attempt = await sendEvent(ports, webhook, event, delivery.attempts + 1);
      return { kind: 'sent', parcel, attempt };
    });
  } catch (error) {
    return withoutAttempt(error, parcel, ports.now());
  }
}

function failureOf(settlement: Settlement, nowMs: number): JobFailure | undefined {
  if (settlement.kind === 'end' && settlement.state === 'dead') {
    const { delivery, errorCode } = settlement;
    return { code: errorCode, why: `webhook ${delivery.webhookId}`, isFinal: true };
  }
  if (settlement.kind !== 'sent') return undefined;
  const { webhook, delivery } = settlement.parcel;
  const { result, cause } = settlement.attempt;
  const attempts = delivery.attempts + 1 - (delivery.attemptsBefore ?? 0);
  const { kind } = checkAttempt({ ...webhook, attempts, result, nowMs, fraction: 0 });
  if (kind === 'done') return undefined;
  const what = 'status' in result ? `status ${result.status}` : cause;
  const why = `webhook ${webhook.id}${what === undefined ? '' : `: ${what}`}`;
  const code = 'status' in result ? 'network.failed' : result.errorCode;
  return { code, why, isFinal: kind === 'dead' };
}

function withoutAttempt(
  error: unknown,
  { job, delivery, event }: Parcel,
  nowMs: number,
): Settlement {
  if (!isInnsigliError(error)) throw error;
  if (error.code === 'network.offline') {
    return { kind: 'hold', job, delivery, untilMs: nowMs + offlineWaitMs };
  }
  if (error.code === 'blob.missing' || error.code === 'blob.corrupt') {
    // A folder that is not mounted, or a backup that is not complete, is put right.
    if (nowMs - event.createdAtMs < contentWaitMs) {
      return { kind: 'hold', job, delivery, untilMs: nowMs + contentLookMs };
    }
    return { kind: 'end', job, delivery, state: 'dead', errorCode: error.code };
  }
  throw error;
}

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
