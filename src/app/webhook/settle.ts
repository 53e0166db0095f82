import { defined } from '../../base/defined.ts';
import type { ChainOwner } from '../../domain/activity/index.ts';
import type { RandomBytes } from '../../domain/keys.ts';
import type { ActivityDraft } from '../../domain/process/index.ts';
import {
  afterFailure,
  afterSuccess,
  checkAttempt,
  type DeliveryAttempt,
  isReceiverFailing,
  type Outcome,
  switchedOff,
  type Webhook,
  type WebhookDelivery,
} from '../../domain/webhook/index.ts';
import { writeResult } from '../patient-store.ts';
import type { Job, Store, StoreUnit } from '../ports/index.ts';
import type { Parcel, Plan } from './plan.ts';
import type { Attempt } from './send.ts';

/** What became of a job: what was planned without sending, or an attempt. */
export type Settlement =
  | Exclude<Plan, { readonly kind: 'send' }>
  | { readonly kind: 'sent'; readonly parcel: Parcel; readonly attempt: Attempt };

/** What the writing of results needs. */
export interface SettlePorts {
  readonly store: Store;
  readonly random: RandomBytes;
  now(): number;
  /** `appendActivities` of app/activity. */
  append(
    unit: StoreUnit,
    ports: { readonly random: RandomBytes },
    all: readonly { readonly process: ChainOwner; readonly drafts: readonly ActivityDraft[] }[],
    nowMs: number,
  ): Promise<void>;
}

/** What a result comes to. */
interface Effect {
  readonly job: Job;
  /** When the job is due again; absent: it is finished. */
  readonly againAtMs?: number;
  /** Absent for a delivery that is not written. */
  readonly delivery?: WebhookDelivery;
  readonly attempt?: DeliveryAttempt;
  /** For the log of the process. */
  readonly note?: ActivityDraft;
  readonly mark?: Mark;
}

/** What an attempt says about its receiver. */
interface Mark {
  readonly isFailing: boolean;
  readonly isProbe: boolean;
  readonly disables: boolean;
}

/**
 * Writes results in one transaction. A result whose job somebody else holds by now is dropped: the
 * lease ran out, and the other worker sends or sent the same bytes under the same id. Deliveries
 * are as they were read: who cancels or replays one takes the job away from us first.
 */
export async function settleAll(
  ports: SettlePorts,
  settlements: readonly Settlement[],
): Promise<void> {
  await writeResult(ports.store, async (unit) => {
    const startMs = ports.now();
    const effects = settlements.map((each) => effectOf(each, startMs, ports.random));
    const ours = await takeJobs(unit, effects);
    await unit.webhooks.saveDeliveries(
      ours.flatMap(({ delivery }) => delivery ?? []),
      ours.flatMap(({ attempt }) => attempt ?? []),
    );
    // Always in this order, so that two workers never wait for each other.
    const noted = ours.filter(({ note }) => note !== undefined);
    const notes = new Map(grouped(noted, ({ delivery }) => delivery?.processKey));
    const processes = notes.size === 0 ? [] : await unit.processes.lockOwners([...notes.keys()]);
    const all = processes.map((process) => {
      const own = notes.get(process.key) ?? [];
      return { process, drafts: own.flatMap(({ note }) => note ?? []) };
    });
    // The log and the breaker have the time at which nobody else could write any more.
    await ports.append(unit, ports, all, ports.now());
    const marked = ours.filter(({ mark }) => mark !== undefined);
    for (const [id, some] of grouped(marked, ({ delivery }) => delivery?.webhookId)) {
      const webhook = await unit.webhooks.lock(id);
      if (webhook === undefined) continue;
      const nowMs = ports.now();
      const next = some.reduce((was, { mark }) => markedBy(was, mark, nowMs), webhook);
      if (next !== webhook) await unit.webhooks.save(next);
    }
  });
}

/** Finishes and releases jobs; gives the effects whose jobs were ours. */
async function takeJobs(unit: StoreUnit, effects: readonly Effect[]): Promise<readonly Effect[]> {
  const refs = new Set<string>();
  const ended = effects.filter(({ againAtMs }) => againAtMs === undefined);
  for (const [owner, some] of grouped(ended, ({ job }) => job.owner)) {
    const names = some.map(({ job }) => job.ref);
    for (const ref of await unit.jobs.finishAll('webhook', names, owner)) refs.add(ref);
  }
  const again = effects.flatMap(({ job, againAtMs }) =>
    againAtMs === undefined ? [] : [{ ...job, runAtMs: againAtMs }],
  );
  if (again.length > 0) {
    for (const ref of await unit.jobs.releaseAll('webhook', again)) refs.add(ref);
  }
  return effects.filter(({ job }) => refs.has(job.ref));
}

function effectOf(each: Settlement, nowMs: number, random: RandomBytes): Effect {
  switch (each.kind) {
    case 'forget':
      return { job: each.job };
    case 'hold': {
      const { job, delivery, untilMs } = each;
      return { job, againAtMs: untilMs, delivery: { ...delivery, nextAtMs: untilMs } };
    }
    case 'end': {
      const { job, state, errorCode } = each;
      const ended = { ...withoutNext(each.delivery), state, updatedAtMs: nowMs };
      const delivery = { ...ended, lastErrorCode: errorCode };
      if (state === 'canceled') return { job, delivery };
      return { job, delivery, note: noteOf(delivery, 'WebhookFailed', errorCode) };
    }
    case 'sent':
      return attemptEffect(each, nowMs, random);
  }
}

function attemptEffect(
  { parcel, attempt }: Extract<Settlement, { readonly kind: 'sent' }>,
  nowMs: number,
  random: RandomBytes,
): Effect {
  const { job, webhook, delivery, isProbe } = parcel;
  const { result, atMs, durationMs, answerHead, cause } = attempt;
  const number = delivery.attempts + 1;
  const attempts = number - (delivery.attemptsBefore ?? 0);
  const { schedule } = webhook;
  const isFailing = isReceiverFailing(schedule, result);
  const fraction = isFailing ? fractionOf(random(4)) : 0;
  const outcome = checkAttempt({ schedule, attempts, result, nowMs, fraction });
  const shown = 'status' in result ? `status ${result.status}` : result.errorCode;
  const status = outcome.kind === 'done' ? 'WebhookSent' : 'WebhookFailed';
  const isQuiet = webhook.failureCount === 0 && webhook.openUntilMs === undefined;
  const disables = outcome.kind === 'dead' && outcome.disables;
  return {
    job,
    delivery: after(delivery, number, attempt, outcome, nowMs),
    attempt: {
      deliveryId: delivery.id,
      number,
      atMs,
      durationMs,
      ...('status' in result ? { status: result.status } : { errorCode: result.errorCode }),
      ...defined({ cause, answerHead }),
    },
    ...(outcome.kind === 'retry'
      ? { againAtMs: outcome.atMs }
      : { note: noteOf(delivery, status, `${webhook.type}, ${shown}, attempt ${number}`) }),
    // A success at a receiver without failures says nothing new.
    ...(isQuiet && !isFailing ? {} : { mark: { isFailing, isProbe, disables } }),
  };
}

/** The webhook after one more attempt; it is read anew, because its owner may have changed it. */
function markedBy(webhook: Webhook, mark: Mark | undefined, nowMs: number): Webhook {
  if (mark === undefined) return webhook;
  // A receiver that refuses one event for good is there: that closes the breaker as well.
  if (!mark.isFailing) return afterSuccess(webhook);
  const next = afterFailure(webhook, nowMs, mark.isProbe);
  return mark.disables && next.isActive ? switchedOff(next, '410', nowMs) : next;
}

function after(
  delivery: WebhookDelivery,
  attempts: number,
  { result }: Attempt,
  outcome: Outcome,
  nowMs: number,
): WebhookDelivery {
  const { lastStatus: _status, lastErrorCode: _code, ...rest } = withoutNext(delivery);
  return {
    ...rest,
    attempts,
    state: outcome.kind === 'retry' ? 'waiting' : outcome.kind,
    updatedAtMs: nowMs,
    ...(outcome.kind === 'retry' ? { nextAtMs: outcome.atMs } : {}),
    ...('status' in result ? { lastStatus: result.status } : { lastErrorCode: result.errorCode }),
  };
}

function noteOf(
  { webhookId }: WebhookDelivery,
  status: 'WebhookSent' | 'WebhookFailed',
  what: string,
): ActivityDraft {
  return { status, createdBy: 'System', description: `webhook ${webhookId}: ${what}` };
}

/** Items by key, in order of the keys; those without one are left out. */
function grouped<Item, Key extends string | number>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | undefined,
): readonly (readonly [Key, readonly Item[]])[] {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function withoutNext(delivery: WebhookDelivery): WebhookDelivery {
  const { nextAtMs: _next, ...rest } = delivery;
  return rest;
}

function fractionOf(bytes: Uint8Array): number {
  return Buffer.from(bytes).readUInt32BE(0) / 2 ** 32;
}
