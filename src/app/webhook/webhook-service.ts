import type { CompanyKey } from '../../domain/keys.ts';
import {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookSecrets,
  type WebhookVerification,
} from '../../domain/webhook/index.ts';
import { type Service, useCase } from '../operation.ts';
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

/** Operations of a company on its webhooks. */
export const webhookOperations = {
  /**
   * Registers a webhook.
   *
   * @example
   * const { webhook, secret } = await acme.webhooks.create({ flowKey, type: 'Completed', url });
   */
  create: createWebhook,
  /**
   * Lists webhooks by flow and type.
   *
   * @example
   * for (const { id, url } of await acme.webhooks.list()) console.log(id, url);
   */
  list: listWebhooks,
  /**
   * Returns one webhook.
   *
   * @example
   * const { isActive } = await acme.webhooks.find(id);
   */
  find: findWebhook,
  /**
   * Changes a webhook.
   *
   * @example
   * await acme.webhooks.update(id, { isActive: false });
   */
  update: updateWebhook,
  /**
   * Adds a new secret and keeps only the newest of the old ones. Both are in use until
   * `dropOldSecrets` is called.
   *
   * @example
   * const { secret } = await acme.webhooks.rotateSecret(id);
   */
  rotateSecret,
  /**
   * Removes all secrets of a webhook except the newest.
   *
   * @example
   * await acme.webhooks.dropOldSecrets(id);
   */
  dropOldSecrets,
  /**
   * Returns the secrets of a webhook, newest first.
   *
   * @example
   * const secrets = await acme.webhooks.secrets(id);
   */
  secrets: readSecrets,
  /**
   * Removes a webhook and cancels its waiting deliveries.
   *
   * @example
   * await acme.webhooks.delete(id);
   */
  delete: deleteWebhook,
  /**
   * Lists deliveries, newest first.
   *
   * @example
   * const failed = await acme.webhooks.deliveries({ webhookId: id, take: 20 });
   */
  deliveries: listDeliveries,
  /**
   * Returns one delivery with its attempts.
   *
   * @example
   * const { delivery, attempts } = await acme.webhooks.delivery(deliveryId);
   */
  delivery: showDelivery,
  /**
   * Returns the body of a delivery, as receivers get it.
   *
   * @example
   * const body = await acme.webhooks.deliveryBody(deliveryId);
   */
  deliveryBody: readDeliveryBody,
  /**
   * Makes deliveries due again.
   *
   * @example
   * await acme.webhooks.replay({ deliveryId });
   */
  replay: replayDeliveries,
  /**
   * Sends a synthetic event to the active webhooks of a flow and type.
   *
   * @example
   * const deliveries = await acme.webhooks.trigger({ flowKey, type: 'Completed' });
   */
  trigger: triggerWebhook,
  /**
   * Sends a synthetic event of the webhook's own type once, even if the webhook is switched off.
   *
   * @example
   * const { isAccepted } = await acme.webhooks.ping(id);
   */
  ping: pingWebhook,
  /**
   * Opens a receiver on this machine that verifies incoming requests and passes them to `heard`.
   *
   * @example
   * const address = { host: '127.0.0.1', port: 0 };
   * const listener = await acme.webhooks.listen(address, ({ type }) => console.log(type));
   */
  listen: listenForWebhooks,
  /**
   * Verifies that a received request was sent by this service and is recent.
   *
   * @example
   * const verification = acme.webhooks.verify(received, secrets);
   */
  verify: useCase([], verifyReceived),
};

/** The methods of {@link webhookOperations}. */
export type WebhookService = Service<typeof webhookOperations>;

/** Verifies that a received request was sent by this service and is recent. */
function verifyReceived(
  { now }: Pick<WebhookPorts, 'now'>,
  _companyKey: CompanyKey,
  request: ReceivedWebhook,
  secrets: Omit<WebhookSecrets, 'nowMs'>,
): WebhookVerification {
  return verifyWebhook(request, { ...secrets, nowMs: now() });
}
