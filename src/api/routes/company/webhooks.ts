import { type WebhookView, webhookOperations } from '../../../app/webhook/index.ts';
import { defined } from '../../../base/defined.ts';
import { invalid } from '../../../base/input.ts';
import { asKey } from '../../../domain/keys.ts';
import type { ApiApp } from '../../route.ts';
import {
  createWebhook,
  idParams,
  updateWebhook,
  webhook,
  webhookList,
  webhookQuery,
} from '../../schemas/index.ts';
import { flowParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Webhooks', access: 'company' });
const path = '/management/webhook';

/** Adds the routes that register webhooks. */
export function registerWebhooks(app: ApiApp): void {
  add(app, 'POST', path, {
    scope: 'manage',
    summary: 'Register a webhook',
    description:
      'Sends events of one type of a flow to the URL. The response has the signature ' +
      'secret, which is shown only now.',
    body: createWebhook,
    answers: { 200: { description: 'The webhook with its secret.', schema: webhook } },
    errors: webhookOperations.create.errors,
    handle: async ({ body: { flowKey, type, url, active }, company }) => {
      const made = await company.webhooks.create({
        flowKey: asKey('flow', flowKey),
        type,
        url,
        ...defined({ isActive: active }),
      });
      return { ...show(made.webhook), secret: made.secret };
    },
  });
  add(app, 'PUT', `${path}/{Id}`, {
    scope: 'manage',
    summary: 'Change a webhook',
    description: 'The flow cannot be changed.',
    params: idParams,
    body: updateWebhook,
    answers: { 200: { description: 'The webhook.', schema: webhook } },
    errors: webhookOperations.update.errors,
    handle: async ({ params: { Id }, body: { flowKey, type, url, active }, company }) => {
      const before = await company.webhooks.find(Id);
      if (flowKey !== undefined && flowKey !== before.flowKey) {
        invalid('flowKey', 'expected the flow that the webhook has');
      }
      return show(await company.webhooks.update(Id, defined({ type, url, isActive: active })));
    },
  });
  registerRest(app);
}

function registerRest(app: ApiApp): void {
  add(app, 'DELETE', `${path}/{Id}`, {
    scope: 'manage',
    summary: 'Remove a webhook',
    params: idParams,
    answers: { 204: { description: 'The webhook was removed.' } },
    errors: webhookOperations.delete.errors,
    handle: async ({ params: { Id }, company }) => {
      await company.webhooks.delete(Id);
    },
  });
  add(app, 'GET', `${path}/flowKey/{FlowKey}`, {
    summary: 'The webhooks of a flow',
    description: 'All, or those of one type.',
    params: flowParams,
    query: webhookQuery,
    answers: { 200: { description: 'The webhooks.', schema: webhookList } },
    errors: webhookOperations.list.errors,
    handle: async ({ params: { FlowKey }, query, company }) => {
      const { Type: type } = query;
      const found = await company.webhooks.list({
        flowKey: asKey('flow', FlowKey),
        ...defined({ type }),
      });
      return found.map(show);
    },
  });
}

function show({ id, flowKey, type, url, isActive, createdAtMs, updatedAtMs }: WebhookView) {
  return {
    ...{ id, flowKey, type, url, active: isActive },
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}
