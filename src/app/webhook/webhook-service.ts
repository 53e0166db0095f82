import type { CompanyKey } from '../../domain/keys.ts';
import { verifyWebhook } from '../../domain/webhook/index.ts';
import { listDeliveries, readDeliveryBody, replayDeliveries, showDelivery } from './deliveries.ts';
import { deliverDueWebhooks } from './drain.ts';
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
import type { WebhookPorts, WebhookService } from './webhook-service.types.ts';

const heldMax = 256;

/** The webhooks of `companyKey`. */
export function webhookService(ports: WebhookPorts, companyKey: CompanyKey): WebhookService {
  return {
    create: (request) => createWebhook(ports, companyKey, request),
    list: (filter = {}) => listWebhooks(ports, companyKey, filter),
    find: (id) => findWebhook(ports, companyKey, id),
    update: (id, change) => updateWebhook(ports, companyKey, id, change),
    rotateSecret: (id) => rotateSecret(ports, companyKey, id),
    dropOldSecrets: (id) => dropOldSecrets(ports, companyKey, id),
    secrets: (id) => readSecrets(ports, companyKey, id),
    delete: (id) => deleteWebhook(ports, companyKey, id),
    deliveries: (query = {}) => listDeliveries(ports, companyKey, query),
    delivery: (id) => showDelivery(ports, companyKey, id),
    deliveryBody: (id) => readDeliveryBody(ports, companyKey, id),
    replay: (request) => replayDeliveries(ports, companyKey, request),
    trigger: (request) => triggerWebhook(ports, companyKey, request),
    ping: (id) => pingWebhook(ports, companyKey, id),
    listen: (request, heard) => listenForWebhooks(ports, companyKey, request, heard),
    verify: (request, secrets) => verifyWebhook(request, { ...secrets, nowMs: ports.now() }),
    deliverDue: () => {
      const owner = Buffer.from(ports.random(12)).toString('hex');
      return deliverDueWebhooks(ports, { owner, limit: heldMax });
    },
  };
}
