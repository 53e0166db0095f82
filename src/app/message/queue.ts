import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { RandomBytes } from '../../domain/keys.ts';
import type { Message } from '../../domain/message/index.ts';
import type { MessageDraft, SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import type { Channel, ChannelPorts, StoreUnit } from '../ports/index.ts';

/** Dependencies of the queue, besides the transaction. */
interface QueuePorts {
  readonly random: RandomBytes;
}

/**
 * Puts messages into the transaction of the change that they tell of: one row and one job for each
 * recipient, so that an address that fails never makes another one be written to again. They leave
 * when a worker calls `deliverMessage`. Doubles are left out: the same mail to the same address
 * twice, a reminder while one still waits, and in a sequence a second planned reminder, invitation
 * or cancellation to one person for the other documents.
 *
 * @param process as it is after the change
 * @param persons messages of this transaction to the persons of the sequence so far
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
      // Two signees may share an address; to sign each needs their own link, but not here.
      const sameMail = `${channel} ${to.toLowerCase()}`;
      if (confirmed.has(sameMail)) continue;
      confirmed.add(sameMail);
    }
    const waits = waiting.some(
      (each) =>
        each.template === template && each.channel === channel && each.signeeKey === signeeKey,
    );
    if (waits) continue;
    if (isForAll(draft) && persons?.tell(draft) === false) continue;
    await addMessage(unit, ports, process, { ...draft, to, values: {} }, nowMs);
  }
}

/** In a sequence one such message is about all documents of the person. */
function isForAll({ template }: MessageDraft): boolean {
  return template === 'Signup' || template === 'Reminder' || template === 'Canceled';
}

/**
 * Puts one message with values of its own, such as `code` for a one-time code, into the
 * transaction, and gives its id. The values are forgotten when the message has left.
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

/** The address of the reader; empty when there is none: the delivery fails and says so. */
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

/** Notifications of the persons of a sequence in one transaction. */
export interface NotifiedPersons {
  /** Notes a message; true when the person behind its signee was not told so before. */
  tell(draft: MessageDraft): boolean;
}

/** Nobody of `sequence` has been notified yet. */
export function nobodyNotified({ persons }: Pick<Sequence, 'persons'>): NotifiedPersons {
  const told = new Set<string>();
  let personOf: ReadonlyMap<string, string> | undefined;
  return {
    tell({ template, channel, signeeKey = '' }) {
      personOf ??= new Map(
        persons.flatMap(({ key, signingKeys }) =>
          signingKeys.map((place) => [place.signeeKey, key] as const),
        ),
      );
      const what = `${template} ${channel} ${personOf.get(signeeKey) ?? signeeKey}`;
      return told.size < told.add(what).size;
    },
  };
}

/** True when messages leave that way, be it as files. */
export function isOpenChannel({ closedChannels = [] }: ChannelPorts, channel: Channel): boolean {
  return !closedChannels.includes(channel);
}

/**
 * Requires that messages leave that way.
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
