import type { Vault } from '../../../../app/ports/index.ts';
import type {
  DeliveryAttempt,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
} from '../../../../domain/webhook/index.ts';
import { rowForm } from '../../statements.ts';
import { fromJson, type Tables, toJson } from '../../tables.ts';

const eventForm = rowForm<Omit<WebhookEvent, 'body'>>()({
  id: 'id',
  companyKey: 'company_key',
  flowKey: 'flow_key',
  processKey: 'process_key',
  seq: 'seq',
  type: 'type',
  documentSha256: 'document_sha256',
  createdAtMs: 'created_at',
});

/** Row form of deliveries, without the company, which is taken from the event. */
export const deliveryForm = rowForm<WebhookDelivery>()({
  id: 'id',
  eventId: 'event_id',
  webhookId: 'webhook_id',
  processKey: 'process_key',
  state: 'state',
  createdAtMs: 'created_at',
});

/** Row form of delivery attempts. */
export const attemptForm = rowForm<DeliveryAttempt>()({
  deliveryId: 'delivery_id',
  number: 'number',
});

/** Row form of webhooks, without their ids and secrets. */
export const webhookForm = rowForm<Omit<Webhook, 'id' | 'secrets'>>()({
  companyKey: 'company_key',
  flowKey: 'flow_key',
  type: 'type',
});

const bodyContext = (id: string) => `webhook_event.body:${id}`;

/** The row of an event, with encrypted body. */
export function eventRow({ body, ...event }: WebhookEvent, vault: Vault): Tables['webhook_event'] {
  const sealed = vault.encrypt(toJson(body), bodyContext(event.id));
  return { ...eventForm.cells(event), body: sealed };
}

/** The event of a row. */
export function eventOf(row: Tables['webhook_event'], vault: Vault): WebhookEvent {
  const body = fromJson<WebhookEvent['body']>(vault.decrypt(row.body, bodyContext(row.id)));
  return { ...eventForm.join(row, {}), body };
}
