import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { WebhookType } from '../../domain/process/index.ts';
import {
  buildPayload,
  isReceiverFailing,
  sampleEvent,
  signEvent,
  type Webhook,
  type WebhookEvent,
} from '../../domain/webhook/index.ts';
import { requireFlow } from '../flow/index.ts';
import { useCase } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { deliverDueWebhooks, sendEvent, withDocumentMemory } from './deliver.ts';
import { parseType, requireWebhook } from './manage.ts';
import { attemptTimeoutMs } from './plan.ts';
import { addDeliveries, dashed, newEventId, obtainSignatureKey } from './record-events.ts';
import type { DeliveryView, PingOutcome, TriggerRequest, WebhookPorts } from './webhook.types.ts';

const lookAgainMs = 100;
const claimMax = 32;

/** Sends a synthetic event. @throws flow.not_found, webhook.not_found, webhook.inactive */
export const triggerWebhook = useCase(
  ['flow.not_found', 'webhook.not_found', 'webhook.inactive'],
  async (
    ports: WebhookPorts,
    companyKey,
    request: TriggerRequest,
  ): Promise<readonly DeliveryView[]> => {
    const { flowKey } = request;
    const type = parseType(request.type);
    const nowMs = ports.now();
    const { event, ids } = await ports.store.write(async (unit) => {
      const flow = await requireFlow(unit, companyKey, flowKey);
      const listening = await findActive(unit, companyKey, { ...request, type });
      const sample = await sampleFor(unit, ports, { companyKey, flowKey }, flow.name, type, nowMs);
      await unit.webhooks.addEvent(sample);
      return {
        event: sample,
        ids: await addDeliveries(unit, ports.random, sample, listening, nowMs),
      };
    });
    await firstAttempts(ports, ids);
    return ports.store.read(async (unit) => {
      const found = [];
      for (const id of ids) {
        const delivery = await unit.webhooks.findDelivery(id);
        if (delivery !== undefined) found.push({ ...delivery, eventType: type, seq: event.seq });
      }
      return found;
    });
  },
);

/**
 * Sends a synthetic event of the webhook's own type once, even if the webhook is switched off:
 * users test a receiver before they switch it on again.
 *
 * @throws webhook.not_found
 */
export const pingWebhook = useCase(
  ['webhook.not_found'],
  async (ports: WebhookPorts, companyKey, id: number): Promise<PingOutcome> => {
    const nowMs = ports.now();
    const { webhook, event } = await ports.store.write(async (unit) => {
      const webhook = await requireWebhook(unit, companyKey, id);
      const flow = await requireFlow(unit, companyKey, webhook.flowKey);
      const event = await sampleFor(unit, ports, webhook, flow.name, webhook.type, nowMs);
      return { webhook, event };
    });
    const sent = await withDocumentMemory(ports, event, () => sendEvent(ports, webhook, event, 1));
    const { result, durationMs, answerHead, cause } = sent;
    return defined({
      isAccepted: 'status' in result && !isReceiverFailing(webhook.schedule, result),
      durationMs,
      status: 'status' in result ? result.status : undefined,
      errorCode: 'status' in result ? undefined : result.errorCode,
      cause,
      answerHead,
    });
  },
);

async function findActive(
  unit: StoreUnit,
  companyKey: CompanyKey,
  { type, flowKey, webhookId }: Omit<TriggerRequest, 'type'> & Pick<Webhook, 'type'>,
): Promise<readonly Webhook[]> {
  const candidates =
    webhookId !== undefined
      ? [await requireWebhook(unit, companyKey, webhookId)]
      : (await unit.webhooks.forFlow(flowKey)).filter((each) => each.type === type);
  const found = candidates.filter((each) => each.isActive);
  if (found.length > 0) return found;
  if (candidates.length > 0) {
    throw new InnsigliError('webhook.inactive', 'the webhook is switched off', {
      hint: 'switch it on with innsigli webhook update ID --on',
    });
  }
  throw new InnsigliError('webhook.not_found', `flow ${flowKey} has no webhook for ${type}`, {
    hint: 'add one with innsigli webhook create',
  });
}

async function sampleFor(
  unit: StoreUnit,
  ports: Pick<WebhookPorts, 'random' | 'frontEnd'>,
  place: Pick<Webhook, 'companyKey' | 'flowKey'>,
  flowName: string,
  type: WebhookType,
  nowMs: number,
): Promise<WebhookEvent> {
  const signatureKey = await obtainSignatureKey(unit, ports, place.companyKey);
  const { process, signeeKey, document } = sampleEvent(place, flowName, type, nowMs, ports.random);
  const id = newEventId(ports.random);
  const [head, tail] = buildPayload({
    id,
    type,
    process,
    signeeKey,
    hasDocument: document !== undefined,
    frontEnd: ports.frontEnd,
    signature: signEvent({ atMs: nowMs, guid: dashed(id), signatureKey }),
  });
  const content = document === undefined ? '' : Buffer.from(document).toString('base64');
  const { companyKey, flowKey } = place;
  const body = [head + content, tail] as const;
  return { id, companyKey, flowKey, seq: 1, type, body, createdAtMs: nowMs };
}

/** Makes the first attempts, or waits for the worker that holds the jobs. */
async function firstAttempts(ports: WebhookPorts, ids: readonly string[]): Promise<void> {
  const owner = Buffer.from(ports.random(12)).toString('hex');
  for (let waitedMs = 0; waitedMs < 2 * attemptTimeoutMs; waitedMs += lookAgainMs) {
    // Only these: other deliveries may take long and are left to a worker.
    await deliverDueWebhooks(ports, { owner: `${owner}.${waitedMs}`, limit: claimMax, refs: ids });
    const isTried = await ports.store.read(async (unit) => {
      for (const id of ids) {
        const delivery = await unit.webhooks.findDelivery(id);
        const isHeld = (delivery?.nextAtMs ?? 0) > ports.now();
        if (delivery?.state === 'waiting' && delivery.attempts === 0 && !isHeld) return false;
      }
      return true;
    });
    if (isTried) return;
    await sleep(lookAgainMs);
  }
}
