import { type ErrorCode, isInnsigliError } from '../../base/errors.ts';
import {
  admit,
  longestWaitMs,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '../../domain/webhook/index.ts';
import { isClockSound } from '../activity/index.ts';
import type { Job, Store, StoreUnit } from '../ports/index.ts';
import { attemptTimeoutMs } from './send.ts';

/** A delivery with all that is needed to send it. */
export interface Parcel {
  readonly job: Job;
  readonly delivery: WebhookDelivery;
  readonly webhook: Webhook;
  readonly event: WebhookEvent;
  /** It looks whether a receiver is back that was left alone. */
  readonly isProbe: boolean;
}

/** What is to be done about a job. */
export type Plan =
  | { readonly kind: 'send'; readonly parcel: Parcel }
  /** Nothing any more. */
  | { readonly kind: 'forget'; readonly job: Job }
  /** No attempt is possible. */
  | {
      readonly kind: 'end';
      readonly job: Job;
      readonly delivery: WebhookDelivery;
      readonly state: 'dead' | 'canceled';
      readonly errorCode: ErrorCode;
    }
  /** Not now; this is no attempt. */
  | {
      readonly kind: 'hold';
      readonly job: Job;
      readonly delivery: WebhookDelivery;
      readonly untilMs: number;
    };

/** The rows of a job. */
interface Found {
  readonly job: Job;
  readonly delivery: WebhookDelivery | undefined;
  readonly webhook: Webhook | typeof unreadable | undefined;
  readonly event: WebhookEvent | typeof unreadable | undefined;
  /** The log of its process is ahead of our clock: what is sent now could not be written down. */
  readonly isAhead: boolean;
}

// A probe that died with its worker keeps the others waiting for so long.
const probeMs = 3 * attemptTimeoutMs;
const orderedWaitMs = 1000;
const aheadWaitMs = 600_000;
const queueMax = 1000;

/** Decides about jobs from what the rows say now: one view for all of them. */
export async function planJobs(
  store: Store,
  jobs: readonly Job[],
  nowMs: number,
): Promise<readonly Plan[]> {
  const plans = await store.read(async (unit) => {
    const deliveries = await unit.webhooks.findDeliveries(jobs.map(({ ref }) => ref));
    const eventIds = [...deliveries.values()].map(({ eventId }) => eventId);
    const events = await findEvents(unit, [...new Set(eventIds)]);
    const findWebhook = onceEach((id: number) => readable(() => unit.webhooks.find(id)));
    const processKeys = [...deliveries.values()].flatMap(({ processKey }) => processKey ?? []);
    const heads = await unit.activity.heads([...new Set(processKeys)]);
    const all: Plan[] = [];
    for (const job of jobs) {
      const delivery = deliveries.get(job.ref);
      const webhook = delivery && (await findWebhook(delivery.webhookId));
      const event = delivery && events.get(delivery.eventId);
      const head = delivery?.processKey && heads.get(delivery.processKey);
      const isAhead = !isClockSound(head, nowMs);
      all.push(await planJob(unit, { job, delivery, webhook, event, isAhead }, nowMs));
    }
    return all;
  });
  const decided: Plan[] = [];
  for (const plan of plans) {
    const needsPlace = plan.kind === 'send' && plan.parcel.isProbe;
    decided.push(needsPlace ? await takeProbe(store, plan.parcel, nowMs) : plan);
  }
  return decided;
}

async function planJob(
  unit: StoreUnit,
  { job, delivery, webhook, event, isAhead }: Found,
  nowMs: number,
): Promise<Plan> {
  if (delivery?.state !== 'waiting') return { kind: 'forget', job };
  const end = { kind: 'end', job, delivery } as const;
  if (webhook === undefined) return { ...end, state: 'canceled', errorCode: 'webhook.not_found' };
  if (webhook === unreadable || event === unreadable) {
    return { ...end, state: 'dead', errorCode: 'vault.invalid' };
  }
  if (isAhead) return { kind: 'hold', job, delivery, untilMs: nowMs + aheadWaitMs };
  if (!webhook.isActive) return { ...end, state: 'dead', errorCode: 'webhook.inactive' };
  if (event === undefined) return { ...end, state: 'dead', errorCode: 'webhook.not_found' };
  if (webhook.isOrdered) {
    const untilMs = await turnOf(unit, delivery, event, nowMs);
    if (untilMs !== undefined) return { kind: 'hold', job, delivery, untilMs };
  }
  const admission = admit(webhook, nowMs, probeMs);
  if (admission.kind === 'hold') {
    return { kind: 'hold', job, delivery, untilMs: admission.untilMs };
  }
  const isProbe = admission.kind === 'probe';
  return { kind: 'send', parcel: { job, delivery, webhook, event, isProbe } };
}

/** When to look again because an earlier event of the process is still waiting. */
async function turnOf(
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
    // Planned further away than any wait: by a clock that has gone back since, and due now.
    const otherAtMs = nextAtMs - nowMs > longestWaitMs ? nowMs : nextAtMs;
    return Math.max(nowMs + orderedWaitMs, otherAtMs);
  }
  return undefined;
}

/** Of all that want to probe one gets the place; the others hold. */
async function takeProbe(store: Store, parcel: Parcel, nowMs: number): Promise<Plan> {
  return store.write(async (unit): Promise<Plan> => {
    const { job, delivery } = parcel;
    const webhook = await unit.webhooks.lock(parcel.webhook.id);
    if (webhook === undefined) return { kind: 'hold', job, delivery, untilMs: nowMs };
    const admission = admit(webhook, nowMs, probeMs);
    if (admission.kind === 'hold') {
      return { kind: 'hold', job, delivery, untilMs: admission.untilMs };
    }
    if (admission.kind === 'probe') await unit.webhooks.save(admission.next);
    return { kind: 'send', parcel: { ...parcel, webhook, isProbe: admission.kind === 'probe' } };
  });
}

/** `find` that asks once for each key. */
function onceEach<Key, Value>(find: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const found = new Map<Key, Promise<Value>>();
  return (key) => {
    const known = found.get(key) ?? find(key);
    found.set(key, known);
    return known;
  };
}

/** Stands for a row whose encrypted part cannot be opened. */
export const unreadable = Symbol('unreadable');

/** What `find` gives; {@link unreadable} when it cannot be opened. */
async function readable<T>(find: () => Promise<T>): Promise<T | typeof unreadable> {
  try {
    return await find();
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'vault.invalid') return unreadable;
    throw error;
  }
}

/** Events by id; one that cannot be read keeps no other from being found. */
export async function findEvents(
  { webhooks }: StoreUnit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WebhookEvent | typeof unreadable>> {
  const all = await readable(() => webhooks.findEvents(ids));
  if (all !== unreadable) return all;
  const found = new Map<string, WebhookEvent | typeof unreadable>();
  for (const id of ids) {
    const event = await readable(() => webhooks.findEvent(id));
    if (event !== undefined) found.set(id, event);
  }
  return found;
}
