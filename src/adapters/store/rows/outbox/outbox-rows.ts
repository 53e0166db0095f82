import type { Vault } from '../../../../app/ports/index.ts';
import type { CompanyKey, FlowKey, ProcessKey } from '../../../../domain/keys.ts';
import type {
  DeliveryAttempt,
  WebhookDelivery,
  WebhookEvent,
} from '../../../../domain/webhook/index.ts';
import { fromJson, optional, type Tables, toJson } from '../../tables.ts';

type DeliveryColumns = 'id' | 'eventId' | 'webhookId' | 'processKey' | 'state' | 'createdAtMs';

const bodyContext = (id: string) => `webhook_event.body:${id}`;

/** The row of an event; the body is sealed. */
export function eventRow(event: WebhookEvent, vault: Vault): Tables['webhook_event'] {
  return {
    id: event.id,
    company_key: event.companyKey,
    flow_key: event.flowKey,
    process_key: event.processKey ?? null,
    seq: event.seq,
    type: event.type,
    document_sha256: event.documentSha256 ?? null,
    created_at: event.createdAtMs,
    body: vault.encrypt(toJson(event.body), bodyContext(event.id)),
  };
}

/** The event of a row. */
export function eventOf(row: Tables['webhook_event'], vault: Vault): WebhookEvent {
  return {
    id: row.id,
    companyKey: row.company_key as CompanyKey,
    flowKey: row.flow_key as FlowKey,
    ...optional('processKey', row.process_key as ProcessKey | null),
    seq: row.seq,
    type: row.type as WebhookEvent['type'],
    body: fromJson<WebhookEvent['body']>(vault.decrypt(row.body, bodyContext(row.id))),
    ...optional('documentSha256', row.document_sha256),
    createdAtMs: row.created_at,
  };
}

/** The row of a delivery, without the company, which is that of the event. */
export function deliveryRow(delivery: WebhookDelivery): Omit<Tables['delivery'], 'company_key'> {
  const { id, eventId, webhookId, processKey, state, createdAtMs, ...rest } = delivery;
  return {
    id,
    event_id: eventId,
    webhook_id: webhookId,
    process_key: processKey ?? null,
    state,
    created_at: createdAtMs,
    data: toJson(rest),
  };
}

/** The delivery of a row. */
export function deliveryOf(row: Tables['delivery']): WebhookDelivery {
  return Object.assign(fromJson<Omit<WebhookDelivery, DeliveryColumns>>(row.data), {
    id: row.id,
    eventId: row.event_id,
    webhookId: row.webhook_id,
    ...optional('processKey', row.process_key as ProcessKey | null),
    state: row.state as WebhookDelivery['state'],
    createdAtMs: row.created_at,
  });
}

/** The attempt of a row. */
export function attemptOf(row: Tables['delivery_attempt']): DeliveryAttempt {
  return Object.assign(fromJson<Omit<DeliveryAttempt, 'deliveryId' | 'number'>>(row.data), {
    deliveryId: row.delivery_id,
    number: row.number,
  });
}
