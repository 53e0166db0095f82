import { isInnsigliError } from '../../base/errors.ts';
import {
  admit,
  ended,
  longestWaitMs,
  postponed,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '../../domain/webhook/index.ts';
import { isClockSound } from '../activity/index.ts';
import type { Job, Store, StoreUnit } from '../ports/index.ts';
import type { JobResult } from './record-results.ts';

/** A delivery to be sent now. */
export interface DueDelivery {
  readonly job: Job;
  readonly delivery: WebhookDelivery;
  readonly webhook: Webhook;
  readonly event: WebhookEvent;
  /** Whether it probes if a failed receiver is available again. */
  readonly isProbe: boolean;
}

/** A delivery to send, or the result of a job that needs no attempt. */
export type DeliveryPlan = DueDelivery | JobResult;

/** Placeholder for a row whose encrypted part cannot be decrypted. */
export const unreadable = Symbol('unreadable');

/** Timeout of one attempt, from name resolution to the last byte. */
export const attemptTimeoutMs = 10_000;
// Delay of the other deliveries if a worker crashes during a probe.
const probeMs = 3 * attemptTimeoutMs;
const orderedWaitMs = 1000;
const aheadWaitMs = 600_000;
const queueMax = 1000;

/** Returns one plan per job, from a single read of the rows. */
export async function planJobs(
  store: Store,
  jobs: readonly Job[],
  nowMs: number,
): Promise<readonly DeliveryPlan[]> {
  const plans = await store.read(async (unit) => {
    const deliveries = await unit.webhooks.findDeliveries(jobs.map(({ ref }) => ref));
    const events = await findEvents(
      unit,
      [...deliveries.values()].map(({ eventId }) => eventId),
    );
    const webhooks = new Map<number, Webhook | typeof unreadable | undefined>();
    for (const { webhookId } of deliveries.values()) {
      if (webhooks.has(webhookId)) continue;
      webhooks.set(webhookId, await readable(() => unit.webhooks.find(webhookId)));
    }
    const processKeys = [...deliveries.values()].flatMap(({ processKey }) => processKey ?? []);
    const heads = await unit.activity.heads([...new Set(processKeys)]);
    const found: DeliveryPlan[] = [];
    for (const job of jobs) {
      const delivery = deliveries.get(job.ref);
      const head = delivery?.processKey && heads.get(delivery.processKey);
      // If the log is ahead of the clock, the result could not be appended to it.
      const isAhead = !isClockSound(head, nowMs);
      const webhook = delivery && webhooks.get(delivery.webhookId);
      const event = delivery && events.get(delivery.eventId);
      found.push(await planJob(unit, { job, delivery, webhook, event, isAhead }, nowMs));
    }
    return found;
  });
  const admitted: DeliveryPlan[] = [];
  for (const plan of plans) {
    const needsLock = 'webhook' in plan && plan.isProbe;
    admitted.push(needsLock ? await claimProbe(store, plan, nowMs) : plan);
  }
  return admitted;
}

async function planJob(
  unit: StoreUnit,
  {
    job,
    delivery,
    webhook,
    event,
    isAhead,
  }: {
    readonly job: Job;
    readonly delivery: WebhookDelivery | undefined;
    readonly webhook: Webhook | typeof unreadable | undefined;
    readonly event: WebhookEvent | typeof unreadable | undefined;
    readonly isAhead: boolean;
  },
  nowMs: number,
): Promise<DeliveryPlan> {
  if (delivery?.state !== 'waiting') return { job };
  const dead = (code: 'vault.invalid' | 'webhook.inactive' | 'webhook.not_found') => ({
    job,
    ...ended(delivery, 'dead', code, nowMs),
  });
  if (webhook === undefined) {
    return { job, ...ended(delivery, 'canceled', 'webhook.not_found', nowMs) };
  }
  if (webhook === unreadable || event === unreadable) return dead('vault.invalid');
  if (isAhead) return { job, ...postponed(delivery, nowMs + aheadWaitMs) };
  if (!webhook.isActive) return dead('webhook.inactive');
  if (event === undefined) return dead('webhook.not_found');
  const untilMs = webhook.isOrdered ? await turnAtMs(unit, delivery, event, nowMs) : undefined;
  if (untilMs !== undefined) return { job, ...postponed(delivery, untilMs) };
  const admission = admit(webhook, nowMs, probeMs);
  if (admission.kind === 'hold') return { job, ...postponed(delivery, admission.untilMs) };
  return { job, delivery, webhook, event, isProbe: admission.kind === 'probe' };
}

/** Time of the next check while an earlier event of the process is waiting. */
async function turnAtMs(
  unit: StoreUnit,
  delivery: WebhookDelivery,
  event: WebhookEvent,
  nowMs: number,
): Promise<number | undefined> {
  const { processKey, webhookId } = delivery;
  if (processKey === undefined) return undefined;
  const { companyKey } = event;
  const filter = { companyKey, webhookId, processKey, state: 'waiting', take: queueMax } as const;
  for (const other of await unit.webhooks.deliveries(filter)) {
    if (other.id === delivery.id || other.createdAtMs > delivery.createdAtMs) continue;
    const isSameTime = other.createdAtMs === delivery.createdAtMs;
    const heads = isSameTime ? await unit.webhooks.eventHeads([other.eventId]) : undefined;
    if (isSameTime && (heads?.get(other.eventId)?.seq ?? 0) >= event.seq) continue;
    const { nextAtMs = nowMs } = other;
    // A longer delay than any retry was set before the clock went back; that delivery is due now.
    const otherAtMs = nextAtMs - nowMs > longestWaitMs ? nowMs : nextAtMs;
    return Math.max(nowMs + orderedWaitMs, otherAtMs);
  }
  return undefined;
}

/** Admits one of the deliveries that could serve as probe, and postpones the rest. */
async function claimProbe(store: Store, due: DueDelivery, nowMs: number): Promise<DeliveryPlan> {
  return store.write(async (unit): Promise<DeliveryPlan> => {
    const { job, delivery } = due;
    const webhook = await unit.webhooks.lock(due.webhook.id);
    if (webhook === undefined) return { job, ...postponed(delivery, nowMs) };
    const admission = admit(webhook, nowMs, probeMs);
    if (admission.kind === 'hold') return { job, ...postponed(delivery, admission.untilMs) };
    if (admission.kind === 'probe') await unit.webhooks.save(admission.next);
    return { ...due, webhook, isProbe: admission.kind === 'probe' };
  });
}

/** Returns events by ID. An event that cannot be decrypted does not hide the rest. */
export async function findEvents(
  { webhooks }: StoreUnit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WebhookEvent | typeof unreadable>> {
  const unique = [...new Set(ids)];
  const all = await readable(() => webhooks.findEvents(unique));
  if (all !== unreadable) return all;
  const found = new Map<string, WebhookEvent | typeof unreadable>();
  for (const id of unique) {
    const event = await readable(() => webhooks.findEvent(id));
    if (event !== undefined) found.set(id, event);
  }
  return found;
}

async function readable<T>(find: () => Promise<T>): Promise<T | typeof unreadable> {
  try {
    return await find();
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'vault.invalid') return unreadable;
    throw error;
  }
}
