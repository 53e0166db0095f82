import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { refuseWord } from '../../base/input.ts';
import { findUrlFault, openAddressPolicy } from '../../base/network/address-policy.ts';
import { isUrl } from '../../base/network/is-url.ts';
import type { CompanyKey, FlowKey } from '../../domain/keys.ts';
import { eventTypes, type WebhookType } from '../../domain/process/index.ts';
import {
  closed,
  newWebhookSecret,
  requireWebhookSecret,
  type Webhook,
} from '../../domain/webhook/index.ts';
import { requireFlow } from '../flow/index.ts';
import { useCase } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import type {
  CreateWebhook,
  WebhookChange,
  WebhookPorts,
  WebhookView,
  WebhookWithSecret,
} from './webhook.types.ts';

/** Dependencies of the webhook management operations. */
export type ManagePorts = Pick<WebhookPorts, 'store' | 'now' | 'random' | 'addresses'>;

// The new secret and the previous one, while they overlap.
const secretsMax = 2;
const urlCharactersMax = 2048;

/** Registers a webhook. @throws flow.not_found, validation.error, webhook.url.invalid */
export const createWebhook = useCase(
  ['flow.not_found', 'webhook.url.invalid'],
  async (ports: ManagePorts, companyKey, request: CreateWebhook): Promise<WebhookWithSecret> => {
    const { flowKey, secret = newWebhookSecret(ports.random) } = request;
    const type = parseType(request.type);
    const url = requireUrl(ports, request.url);
    requireWebhookSecret(secret);
    const webhook = await ports.store.write(async (unit) => {
      await requireFlow(unit, companyKey, flowKey);
      const nowMs = ports.now();
      const fresh: Omit<Webhook, 'id'> = {
        companyKey,
        flowKey,
        type,
        url,
        isActive: request.isActive ?? true,
        schedule: request.schedule ?? 'published',
        secrets: [secret],
        isOrdered: request.isOrdered ?? false,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        failureCount: 0,
      };
      return { ...fresh, id: await unit.webhooks.add(fresh) };
    });
    return { webhook: viewOf(webhook), secret };
  },
);

/** Lists webhooks by flow and type. @throws flow.not_found, validation.error */
export const listWebhooks = useCase(
  ['flow.not_found'],
  async (
    ports: ManagePorts,
    companyKey,
    filter: { readonly flowKey?: FlowKey; readonly type?: string } = {},
  ): Promise<readonly WebhookView[]> => {
    const type = filter.type === undefined ? undefined : parseType(filter.type);
    return ports.store.read(async (unit) => {
      const flows =
        filter.flowKey === undefined
          ? await unit.flows.list(companyKey)
          : [await requireFlow(unit, companyKey, filter.flowKey)];
      const found: Webhook[] = [];
      for (const flow of flows) found.push(...(await unit.webhooks.forFlow(flow.key)));
      return found.filter((each) => type === undefined || each.type === type).map(viewOf);
    });
  },
);

/** Returns one webhook. @throws webhook.not_found */
export const findWebhook = useCase(
  ['webhook.not_found'],
  (ports: ManagePorts, companyKey, id: number): Promise<WebhookView> =>
    ports.store.read(async (unit) => viewOf(await requireWebhook(unit, companyKey, id))),
);

/** Returns the secrets of a webhook, newest first. @throws webhook.not_found */
export const readSecrets = useCase(
  ['webhook.not_found'],
  (ports: ManagePorts, companyKey, id: number): Promise<readonly string[]> =>
    ports.store.read(async (unit) => (await requireWebhook(unit, companyKey, id)).secrets),
);

/** Changes a webhook. @throws webhook.not_found, validation.error, webhook.url.invalid */
export const updateWebhook = useCase(
  ['webhook.not_found', 'webhook.url.invalid'],
  async (
    ports: ManagePorts,
    companyKey,
    id: number,
    { type, url, schedule, isOrdered, isActive }: WebhookChange,
  ): Promise<WebhookView> => {
    // Members are copied explicitly: a request may contain others, such as the owner.
    const change = defined({
      schedule,
      isOrdered,
      isActive,
      type: type === undefined ? undefined : parseType(type),
      url: url === undefined ? undefined : requireUrl(ports, url),
    });
    return changeWebhook(ports, companyKey, id, (webhook) => {
      const next = { ...webhook, ...change };
      const isFresh = change.isActive === true || next.url !== webhook.url;
      if (!isFresh) return next;
      const { disabledReason: _reason, ...open } = closed(next);
      return open;
    });
  },
);

/** Adds a new secret and keeps only the newest of the old ones. @throws webhook.not_found */
export const rotateSecret = useCase(
  ['webhook.not_found'],
  async (ports: ManagePorts, companyKey, id: number): Promise<WebhookWithSecret> => {
    const secret = newWebhookSecret(ports.random);
    const webhook = await changeWebhook(ports, companyKey, id, (each) => ({
      ...each,
      secrets: [secret, ...each.secrets].slice(0, secretsMax),
    }));
    return { webhook, secret };
  },
);

/** Removes all secrets except the newest. @throws webhook.not_found */
export const dropOldSecrets = useCase(
  ['webhook.not_found'],
  (ports: ManagePorts, companyKey, id: number): Promise<WebhookView> => {
    return changeWebhook(ports, companyKey, id, (each) => ({
      ...each,
      secrets: each.secrets.slice(0, 1),
    }));
  },
);

/** Removes a webhook and cancels its waiting deliveries. @throws webhook.not_found */
export const deleteWebhook = useCase(
  ['webhook.not_found'],
  async (ports: ManagePorts, companyKey, id: number): Promise<void> => {
    await ports.store.write(async (unit) => {
      await unit.webhooks.lock(id);
      await requireWebhook(unit, companyKey, id);
      await unit.webhooks.remove(id);
    });
  },
);

/** Returns a webhook of the company. @throws webhook.not_found */
export async function requireWebhook(
  unit: StoreUnit,
  companyKey: CompanyKey,
  id: number,
): Promise<Webhook> {
  const found = await unit.webhooks.find(id);
  if (found?.companyKey === companyKey) return found;
  throw new InnsigliError('webhook.not_found', `there is no webhook ${id}`, {
    hint: 'list webhooks with innsigli webhook list',
  });
}

/** Parses the name of a webhook type, case-insensitively. @throws validation.error */
export function parseType(name: string): WebhookType {
  const found = eventTypes.find((each) => each.toLowerCase() === name.toLowerCase());
  return found ?? refuseWord('type', eventTypes, name);
}

function viewOf({ secrets, ...rest }: Webhook): WebhookView {
  return { ...rest, secretCount: secrets.length };
}

// Names are not resolved here: their addresses are checked at each delivery.
function requireUrl({ addresses }: Pick<ManagePorts, 'addresses'>, text: string): string {
  const open = 'use https and a public host, or allow its network: INNSIGLI_WEBHOOK_NETWORKS';
  const refuse = (why: string, hint = open) =>
    new InnsigliError('webhook.url.invalid', `the URL of the webhook is not allowed: ${why}`, {
      details: { field: 'url' },
      hint,
    });
  if (text.length > urlCharactersMax) throw refuse(`it is longer than ${urlCharactersMax}`);
  if (!isUrl(text))
    throw refuse(
      'it is not a URL',
      'use an absolute URL, such as https://hooks.example.com/signed',
    );
  const url = new URL(text);
  url.hash = '';
  const fault = findUrlFault(url, openAddressPolicy(addresses));
  if (fault !== undefined) throw refuse(fault);
  return url.href;
}

async function changeWebhook(
  ports: ManagePorts,
  companyKey: CompanyKey,
  id: number,
  change: (webhook: Webhook) => Webhook,
): Promise<WebhookView> {
  return ports.store.write(async (unit) => {
    await unit.webhooks.lock(id);
    const found = await requireWebhook(unit, companyKey, id);
    const next = { ...change(found), updatedAtMs: ports.now() };
    await unit.webhooks.save(next);
    return viewOf(next);
  });
}
