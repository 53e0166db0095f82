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
   * Webhooks by flow and type.
   *
   * @example
   * for (const { id, url } of await acme.webhooks.list()) console.log(id, url);
   */
  list: listWebhooks,
  /**
   * One webhook.
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
   * A new secret beside the newest of the old ones.
   *
   * @example
   * const { secret } = await acme.webhooks.rotateSecret(id);
   */
  rotateSecret,
  /**
   * Ends the overlap of secrets.
   *
   * @example
   * await acme.webhooks.dropOldSecrets(id);
   */
  dropOldSecrets,
  /**
   * Its secrets, newest first.
   *
   * @example
   * const secrets = await acme.webhooks.secrets(id);
   */
  secrets: readSecrets,
  /**
   * Removes a webhook; its waiting deliveries are cancelled.
   *
   * @example
   * await acme.webhooks.delete(id);
   */
  delete: deleteWebhook,
  /**
   * Deliveries, newest first.
   *
   * @example
   * const failed = await acme.webhooks.deliveries({ webhookId: id, take: 20 });
   */
  deliveries: listDeliveries,
  /**
   * One delivery with its attempts.
   *
   * @example
   * const { delivery, attempts } = await acme.webhooks.delivery(deliveryId);
   */
  delivery: showDelivery,
  /**
   * The bytes that receivers get.
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
   * Sends a made-up event.
   *
   * @example
   * const deliveries = await acme.webhooks.trigger({ flowKey, type: 'Completed' });
   */
  trigger: triggerWebhook,
  /**
   * One attempt of a made-up event of the webhook's own type, also to one that is switched off.
   *
   * @example
   * const { isAccepted } = await acme.webhooks.ping(id);
   */
  ping: pingWebhook,
  /**
   * A receiver on this machine that verifies what it gets and tells it to `heard`.
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
