import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { integer } from '../../base/input.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { DeliveryAttempt, WebhookDelivery, WebhookEvent } from '../../domain/webhook/index.ts';
import { useCase } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { buildBody } from './deliver.ts';
import { requireWebhook } from './manage.ts';
import { findEvents, unreadable } from './plan.ts';
import type { DeliveryQuery, DeliveryView, ReplayRequest, WebhookPorts } from './webhook.types.ts';

type DeliveriesPorts = Pick<WebhookPorts, 'store' | 'now' | 'blobs'>;

const takeDefault = 50;
const takeMax = 1000;
const replayGroup = 500;

/** Lists deliveries, newest first. @throws webhook.not_found, validation.error */
export const listDeliveries = useCase(
  ['webhook.not_found'],
  async (
    { store }: DeliveriesPorts,
    companyKey,
    { take = takeDefault, ...query }: DeliveryQuery = {},
  ): Promise<readonly DeliveryView[]> => {
    integer(1, takeMax)(take, 'take');
    return store.read(async (unit) => {
      if (query.webhookId !== undefined) await requireWebhook(unit, companyKey, query.webhookId);
      const found = await unit.webhooks.deliveries({ ...query, companyKey, take });
      const events = await unit.webhooks.eventHeads(eventIds(found));
      return found.map((delivery) => viewOf(delivery, events.get(delivery.eventId)));
    });
  },
);

/** Returns one delivery with its attempts. @throws webhook.not_found */
export const showDelivery = useCase(
  ['webhook.not_found'],
  async (
    { store }: DeliveriesPorts,
    companyKey,
    id: string,
  ): Promise<{
    readonly delivery: DeliveryView;
    readonly attempts: readonly DeliveryAttempt[];
  }> => {
    return store.read(async (unit) => {
      const { view } = await requireDelivery(unit, companyKey, id);
      return { delivery: view, attempts: await unit.webhooks.attempts(id) };
    });
  },
);

/**
 * Returns the bytes that receivers get.
 *
 * @throws webhook.not_found, process.file.not_found, blob.missing, blob.corrupt
 */
export const readDeliveryBody = useCase(
  ['webhook.not_found', 'process.file.not_found', 'blob.missing', 'blob.corrupt'],
  async ({ store, blobs }: DeliveriesPorts, companyKey, id: string): Promise<Uint8Array> => {
    const { event } = await store.read((unit) => requireDelivery(unit, companyKey, id));
    requireKept(event);
    return buildBody({ blobs }, event);
  },
);

/**
 * Makes deliveries due again.
 *
 * @throws webhook.not_found, webhook.inactive, process.file.not_found
 */
export const replayDeliveries = useCase(
  ['webhook.not_found', 'webhook.inactive', 'process.file.not_found'],
  async (
    { store, now }: DeliveriesPorts,
    companyKey,
    request: ReplayRequest,
  ): Promise<readonly string[]> => {
    const nowMs = now();
    if ('deliveryId' in request) {
      return store.write(async (unit) => {
        const { view, event } = await requireDelivery(unit, companyKey, request.deliveryId);
        requireKept(event);
        await requireActive(unit, companyKey, view.webhookId);
        const delivery = await unit.webhooks.findDelivery(view.id);
        if (delivery !== undefined) await sendAgain(unit, delivery, nowMs);
        return [view.id];
      });
    }
    const { webhookId, sinceMs } = request;
    const filter = { companyKey, webhookId, state: 'dead', take: replayGroup } as const;
    const ids: string[] = [];
    for (;;) {
      const group = await store.write(async (unit) => {
        await requireActive(unit, companyKey, webhookId);
        const dead = await unit.webhooks.deliveries({ ...filter, ...defined({ sinceMs }) });
        const events = await findEvents(unit, eventIds(dead));
        for (const each of dead) {
          const event = events.get(each.eventId);
          const isSendable = event !== undefined && event !== unreadable && isKept(event);
          if (isSendable) await sendAgain(unit, each, nowMs);
          else await unit.webhooks.saveDelivery({ ...each, state: 'canceled', updatedAtMs: nowMs });
        }
        return dead.map(({ id }) => id);
      });
      ids.push(...group);
      if (group.length < replayGroup) return ids;
    }
  },
);

async function sendAgain(unit: StoreUnit, delivery: WebhookDelivery, nowMs: number): Promise<void> {
  const { state, attempts, nextAtMs } = delivery;
  // A due delivery may be in progress; leave its job alone.
  if (state === 'waiting' && (nextAtMs ?? 0) <= nowMs) return;
  const round = state === 'waiting' ? {} : { attemptsBefore: attempts };
  await unit.webhooks.saveDelivery({
    ...delivery,
    ...round,
    state: 'waiting',
    nextAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  await unit.jobs.put({ kind: 'webhook', ref: delivery.id, runAtMs: nowMs });
}

/** False if the body was erased with the personal data of its process. */
function isKept({ body }: WebhookEvent): boolean {
  return body[0] !== '';
}

function requireKept(event: WebhookEvent): void {
  if (isKept(event)) return;
  throw new InnsigliError('process.file.not_found', 'the body of this event was erased', {
    hint: 'the process was purged: its events cannot be resent',
  });
}

async function requireActive(unit: StoreUnit, companyKey: CompanyKey, id: number): Promise<void> {
  const webhook = await requireWebhook(unit, companyKey, id);
  if (webhook.isActive) return;
  throw new InnsigliError('webhook.inactive', `webhook ${id} is switched off`, {
    hint: `switch it on with innsigli webhook update ${id} --on`,
  });
}

async function requireDelivery(unit: StoreUnit, companyKey: CompanyKey, id: string) {
  const delivery = await unit.webhooks.findDelivery(id);
  const event = delivery && (await unit.webhooks.findEvent(delivery.eventId));
  if (delivery && event?.companyKey === companyKey) return { view: viewOf(delivery, event), event };
  throw new InnsigliError('webhook.not_found', 'the delivery does not exist', {
    hint: 'list deliveries with innsigli webhook deliveries',
  });
}

function eventIds(deliveries: readonly WebhookDelivery[]): readonly string[] {
  return [...new Set(deliveries.map(({ eventId }) => eventId))];
}

function viewOf(
  delivery: WebhookDelivery,
  event: Pick<WebhookEvent, 'type' | 'seq'> | undefined,
): DeliveryView {
  return event === undefined ? delivery : { ...delivery, eventType: event.type, seq: event.seq };
}
