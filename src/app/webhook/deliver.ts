import { isInnsigliError } from '../../base/errors.ts';
import { checkAttempt, longestWaitMs } from '../../domain/webhook/index.ts';
import type { Job, JobFailure } from '../ports/index.ts';
import { type GroupWriter, groupWriter } from './group-writer.ts';
import { openPlaces, type Places } from './places.ts';
import { type Parcel, planJobs } from './plan.ts';
import { type SendPorts, sendEvent, withRoom } from './send.ts';
import { type Settlement, type SettlePorts, settleAll } from './settle.ts';

/** What deliveries stand on. */
export type DeliverPorts = SendPorts & SettlePorts;

/** Deliveries of one worker that are under way at the same time. */
const places = { inAll: 256, ofHost: 32, ofWebhook: 16, patienceMs: 1000 };
const offlineWaitMs = 60_000;
/** Time between two looks for a content that is missing, and after which it is given up. */
const contentLookMs = 600_000;
const contentWaitMs = 3 * 86_400_000;

/** Time for which a worker should hold the jobs of a claim; renewed while it lives. */
export const deliveryLeaseMs = 60_000;
/** A job that is due later than this from now was planned by a clock that has gone back since. */
export const deliveryHorizonMs = longestWaitMs + deliveryLeaseMs;

/** What the deliveries of one worker share. */
export interface DeliveryLine {
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
