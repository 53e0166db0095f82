import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { RandomBytes } from '../../domain/keys.ts';
import type { Message } from '../../domain/message/index.ts';
import type { MessageDraft, SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import type { Channel, ChannelPorts, StoreUnit } from '../ports/index.ts';

interface QueuePorts {
  readonly random: RandomBytes;
}

/**
 * Queues messages in the transaction of the change they announce: one row and one job per
 * recipient, so that a failing address never causes a repeat to another. A worker sends them with
 * `deliverMessage`. Duplicates are dropped: a second confirmation to the same address, a reminder
 * while one is still waiting, and in a sequence a second planned reminder, invitation or
 * cancellation to the same person for the other documents.
 *
 * @param process the process after the change
 * @param persons messages queued in this transaction so far to the persons of the sequence
 */
export async function queueMessages(
  unit: StoreUnit,
  ports: QueuePorts,
  process: SigningProcess,
  drafts: readonly MessageDraft[],
  nowMs: number,
  persons?: NotifiedPersons,
): Promise<void> {
  const confirmed = new Set<string>();
  const waiting = drafts.some(({ template }) => template === 'Reminder')
    ? (await unit.messages.ofProcess(process.key)).filter(({ state }) => state === 'waiting')
    : [];
  for (const draft of drafts) {
    const { template, channel, signeeKey } = draft;
    const to = draft.to ?? addressOf(process, draft);
    if (template === 'Confirmation') {
      // Signees who share an address need separate links to sign, but only one confirmation.
      const sameMail = `${channel} ${to.toLowerCase()}`;
      if (confirmed.has(sameMail)) continue;
      confirmed.add(sameMail);
    }
    const waits = waiting.some(
      (each) =>
        each.template === template && each.channel === channel && each.signeeKey === signeeKey,
    );
    if (waits) continue;
    if (isForAll(draft) && persons?.record(draft) === false) continue;
    await addMessage(unit, ports, process, { ...draft, to, values: {} }, nowMs);
  }
}

/** Whether the message covers all documents of a person in a sequence. */
function isForAll({ template }: MessageDraft): boolean {
  return template === 'Signup' || template === 'Reminder' || template === 'Canceled';
}

/**
 * Queues one message with its own values, such as `code` for a one-time code, in the transaction
 * and returns its ID. The values are erased once the message was sent.
 */
export async function queueMessage(
  unit: StoreUnit,
  ports: QueuePorts,
  process: SigningProcess,
  draft: MessageDraft,
  values: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<string> {
  const to = draft.to ?? addressOf(process, draft);
  return addMessage(unit, ports, process, { ...draft, to, values }, nowMs);
}

type Addressed = MessageDraft & Pick<Message, 'to' | 'values'>;

async function addMessage(
  unit: StoreUnit,
  { random }: QueuePorts,
  process: SigningProcess,
  draft: Addressed,
  nowMs: number,
): Promise<string> {
  const { template, channel, signeeKey, to, values, includeUnsubscribe, isByLink } = draft;
  const id = `ms${Buffer.from(random(16)).toString('hex')}`;
  const message: Message = {
    id,
    companyKey: process.companyKey,
    flowKey: process.flowKey,
    processKey: process.key,
    ...defined({ signeeKey }),
    template,
    channel,
    to,
    includeUnsubscribe: includeUnsubscribe === true && channel === 'Email',
    ...defined({ isByLink }),
    values,
    state: 'waiting',
    attempts: 0,
    createdAtMs: nowMs,
  };
  await unit.messages.add(message);
  await unit.jobs.put({ kind: 'message', ref: id, runAtMs: nowMs });
  return id;
}

/** The recipient's address. Empty if there is none; the delivery then fails and reports it. */
function addressOf(process: SigningProcess, { signeeKey, channel, template }: MessageDraft) {
  if (signeeKey === undefined) return template === 'SalesPerson' ? (process.user ?? '') : '';
  const signee = process.signees.find(({ key }) => key === signeeKey);
  if (signee === undefined) {
    throw new InnsigliError(
      'internal.unexpected',
      `a message to a signee who is not in ${process.key}`,
    );
  }
  return (channel === 'Email' ? signee.email : signee.phoneNumber) ?? '';
}

/** Tracks which persons of a sequence one transaction has notified. */
export interface NotifiedPersons {
  /** Records a message. Returns true if its signee had not been notified of the same before. */
  record(draft: MessageDraft): boolean;
}

/** Returns a tracker for `sequence` in which no person has been notified yet. */
export function notificationTracker({ persons }: Pick<Sequence, 'persons'>): NotifiedPersons {
  const notified = new Set<string>();
  let personOf: ReadonlyMap<string, string> | undefined;
  return {
    record({ template, channel, signeeKey = '' }) {
      personOf ??= new Map(
        persons.flatMap(({ key, signingKeys }) =>
          signingKeys.map((place) => [place.signeeKey, key] as const),
        ),
      );
      const what = `${template} ${channel} ${personOf.get(signeeKey) ?? signeeKey}`;
      return notified.size < notified.add(what).size;
    },
  };
}

/** Whether messages are sent over this channel, even if only to files of an outbox. */
export function isOpenChannel({ closedChannels = [] }: ChannelPorts, channel: Channel): boolean {
  return !closedChannels.includes(channel);
}

/**
 * Requires that messages are sent over this channel.
 *
 * @param why the member that needs it, such as `signees[0].delivery`
 * @throws message.channel.none
 */
export function requireChannel(ports: ChannelPorts, channel: Channel, why: string): void {
  if (isOpenChannel(ports, channel)) return;
  const [what, setting] =
    channel === 'Email' ? ['mail', 'mail.server'] : ['text messages', 'sms.gateway'];
  const message = `${why}: expected a channel for ${what}, found ${setting} none`;
  throw new InnsigliError('message.channel.none', message, {
    details: { channel },
    hint: 'choose delivery None or a different signatureType, or let the operator set it up',
  });
}
