import { createHmac } from 'node:crypto';
import type { WebhookType } from '../../src/domain/process/index.ts';
import { report, unless } from './checks.ts';
import type { Desk } from './service-story-desk.ts';
import type { HeardWebhook, WebhookDesk } from './service-story-outside.ts';

/** The types that a webhook can have, with their numbers: a copy of what is published. */
export const eventTypes = {
  SignedDocument: 1,
  AllSigned: 2,
  Auth: 3,
  Signup: 4,
  Canceled: 5,
  Expired: 6,
  Reminder: 7,
  CompanyTermination: 8,
  EmailVerification: 9,
  Completed: 10,
  Created: 11,
  GroupSigned: 12,
  Blocked: 13,
} as const satisfies Record<Exclude<WebhookType, 'NotSet'>, number>;

/** Name of a type of event. */
export type EventType = keyof typeof eventTypes;

/** Registers a webhook, and its secret at the receiver. */
export async function register(
  { step }: Desk,
  receiver: WebhookDesk,
  flow: string,
  type: EventType,
  name: string = type,
): Promise<void> {
  const url = `${receiver.url}/${name}`;
  const { secret } = await step(['webhook', 'create', url, '--type', type, '--flow', flow]);
  receiver.secrets.set(name, String(secret));
}

/** The `EventData` of the events that arrived under a name and are about a process. */
export function eventsOf(
  { heard }: WebhookDesk,
  name: string,
  processKey?: string,
): readonly Readonly<Record<string, unknown>>[] {
  return heard
    .filter((each) => each.name === name && each.answered === 200)
    .map(({ body }) => JSON.parse(body.toString('utf8')).EventData)
    .filter((data) => processKey === undefined || data.ProcessKey === processKey);
}

/** Judges the signatures of all requests, and that nothing came twice. */
export function judgeWebhooks(receiver: WebhookDesk, signatureKey: string): void {
  for (const name of receiver.secrets.keys()) {
    const requests = receiver.heard.filter((each) => each.name === name);
    report(
      `webhook ${name}: ${requests.length} requests, standardwebhooks and published rule`,
      requests.length === 0
        ? ['nothing came']
        : requests.flatMap((each) => requestReasons(each, signatureKey)),
    );
  }
  const taken = receiver.heard.filter(({ answered }) => answered === 200);
  const ids = new Set(taken.map(({ name, id }) => `${name} ${id}`));
  report(`${taken.length} events, each taken once`, unless({ once: ids.size === taken.length }));
}

/** The one that was refused came again: the same id, the same bytes. */
export function judgeRetry({ heard }: WebhookDesk, name: string): void {
  const refused = heard.find((each) => each.name === name);
  const [first, second, more] = heard.filter(({ id }) => id === refused?.id);
  report(
    `webhook ${name} after an answer 500`,
    unless({
      'refused first': first?.answered === 500,
      'came again once': second?.answered === 200 && more === undefined,
      'same id': first?.id === second?.id,
      'same bytes': second !== undefined && first?.body.equals(second.body) === true,
    }),
  );
}

function requestReasons({ name, id, body, fault }: HeardWebhook, key: string): string[] {
  const text = body.toString('utf8');
  const payload = JSON.parse(text);
  const { Guid, Signature, SignedData } = payload.EventSignature;
  // The number is larger than 2^53: its digits are taken from the text.
  const ticks = /"TimeStamp":\s*(\d+)/.exec(text)?.[1];
  const computed = createHmac('sha256', key).update(`${ticks}${Guid}`).digest('base64');
  const type = eventTypes[name.split('-')[0] as EventType];
  return [
    ...(fault === undefined ? [] : [fault]),
    ...unless({
      'SignedData is TimeStamp and Guid': SignedData === `${ticks}${Guid}`,
      'Signature is that of the rule': Signature === computed,
      [`EventType ${type} (${payload.EventData?.EventType})`]:
        payload.EventData?.EventType === type,
      'an id': id !== '' && typeof payload.Id === 'string' && payload.Id !== '',
    }),
  ];
}
