import type { CompanyKey } from '../../domain/keys.ts';
import {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookSecrets,
  type WebhookVerification,
} from '../../domain/webhook/index.ts';
import type { Service } from '../operation.ts';
import { listDeliveries, readDeliveryBody, replayDeliveries, showDelivery } from './deliveries.ts';
import { listenForWebhooks } from './listen.ts';
import {
  createWebhook,
  deleteWebhook,
  dropOldSecrets,
  findWebhook,
  listWebhooks,
  readSecrets,
  rotateSecret,
  updateWebhook,
} from './manage.ts';
import { pingWebhook, triggerWebhook } from './trigger.ts';
import type { WebhookPorts } from './webhook.types.ts';

/** Everything that a company can do with its webhooks. */
export const webhookOperations = {
  create: createWebhook,
  list: listWebhooks,
  find: findWebhook,
  update: updateWebhook,
  rotateSecret,
  dropOldSecrets,
  secrets: readSecrets,
  delete: deleteWebhook,
  deliveries: listDeliveries,
  delivery: showDelivery,
  deliveryBody: readDeliveryBody,
  replay: replayDeliveries,
  trigger: triggerWebhook,
  ping: pingWebhook,
  listen: listenForWebhooks,
  verify: verifyReceived,
};

/** The methods of {@link webhookOperations}. */
export type WebhookService = Service<typeof webhookOperations>;

/** Whether a request that was received is one of ours, now. */
function verifyReceived(
  { now }: Pick<WebhookPorts, 'now'>,
  _companyKey: CompanyKey,
  request: ReceivedWebhook,
  secrets: Omit<WebhookSecrets, 'nowMs'>,
): WebhookVerification {
  return verifyWebhook(request, { ...secrets, nowMs: now() });
}
