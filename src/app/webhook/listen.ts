import { defined } from '../../base/defined.ts';
import { attemptAny, isInnsigliError } from '../../base/errors.ts';
import { eventTypes, type WebhookType, webhookTypes } from '../../domain/process/index.ts';
import {
  newWebhookSecret,
  type ReceivedWebhook,
  requireWebhookSecret,
  verifyWebhook,
} from '../../domain/webhook/index.ts';
import { useCase } from '../operation.ts';
import { createWebhook, deleteWebhook, parseType } from './manage.ts';
import { attemptTimeoutMs } from './plan.ts';
import { obtainSignatureKey } from './record-events.ts';
import type { HeardEvent, ListenRequest, WebhookListener, WebhookPorts } from './webhook.types.ts';

const bodyBytesMax = 128 * 1024 * 1024;
const accepted = 200;
const refused = 401;
const badGateway = 502;
/** Headers that are forwarded. */
const forwarded = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'webhook-attempt',
];

/**
 * Opens a receiver on this machine that verifies incoming requests and passes them to `heard`. If a
 * flow is given, the receiver registers itself as a webhook until it is closed.
 *
 * @throws flow.not_found, validation.error, webhook.url.invalid
 */
export const listenForWebhooks = useCase(
  ['flow.not_found', 'webhook.url.invalid'],
  async (
    ports: WebhookPorts,
    companyKey,
    request: ListenRequest,
    heard: (event: HeardEvent) => void,
  ): Promise<WebhookListener> => {
    const { secret = newWebhookSecret(ports.random), flowKey, forwardTo } = request;
    requireWebhookSecret(secret);
    const types = request.types?.map(parseType) ?? eventTypes;
    const signatureKey = await ports.store.write((unit) =>
      obtainSignatureKey(unit, ports, companyKey),
    );
    const receiver = await ports.openReceiver({
      host: request.host,
      port: request.port,
      bodyBytesMax,
      handle: async (received) => {
        const nowMs = ports.now();
        const known =
          request.skipVerify === true ? { secrets: [] } : { secrets: [secret], signatureKey };
        const verification = verifyWebhook(received, { ...known, nowMs });
        const mayPass = verification.isValid || request.skipVerify === true;
        const answered = mayPass ? await passOn(ports, forwardTo, received) : refused;
        heard(heardEvent(received, verification, answered, nowMs));
        return answered;
      },
    });
    const webhookIds: number[] = [];
    const close = async () => {
      for (const id of webhookIds) {
        await deleteWebhook(ports, companyKey, id).catch((error: unknown) => {
          if (!isInnsigliError(error) || error.code !== 'webhook.not_found') throw error;
        });
      }
      await receiver.close();
    };
    try {
      for (const type of types) {
        if (flowKey === undefined) break;
        const made = { flowKey, type, url: receiver.url, secret };
        webhookIds.push((await createWebhook(ports, companyKey, made)).webhook.id);
      }
    } catch (error) {
      await close();
      throw error;
    }
    return { url: receiver.url, secret, webhookIds, close };
  },
);

async function passOn(
  { forwarder }: Pick<WebhookPorts, 'forwarder'>,
  forwardTo: string | undefined,
  { headers, body }: ReceivedWebhook,
): Promise<number> {
  if (forwardTo === undefined) return accepted;
  const kept = forwarded.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  try {
    const sent = { url: forwardTo, headers: Object.fromEntries(kept), body };
    return (await forwarder.post({ ...sent, timeoutMs: attemptTimeoutMs })).status;
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return badGateway;
  }
}

function heardEvent(
  { headers, body }: ReceivedWebhook,
  verification: HeardEvent['verification'],
  answered: number,
  atMs: number,
): HeardEvent {
  const names = Object.entries(webhookTypes) as [WebhookType, number][];
  const type = names.find(([, number]) => number === verification.eventType)?.[0];
  return {
    atMs,
    verification,
    ...defined({ type, attempt: headers['webhook-attempt'] }),
    lengthBytes: body.length,
    answered,
    payload: parsed(body),
  };
}

// Replaces the document by its length; it would fill the screen.
function parsed(body: Uint8Array): unknown {
  const shown = (name: string, value: unknown) =>
    name === 'SignedDocument' && typeof value === 'string'
      ? `(${Buffer.byteLength(value, 'base64')} bytes)`
      : value;
  return attemptAny(() => JSON.parse(Buffer.from(body).toString('utf8'), shown));
}
