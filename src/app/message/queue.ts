import { CoreError } from '../../base/errors.ts';
import type { RandomOctets } from '../../domain/keys.ts';
import type { Message } from '../../domain/message/index.ts';
import type { MessageDraft, SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/** What the queue needs beside the transaction. */
export interface QueuePorts {
  readonly random: RandomOctets;
}

/**
 * Puts messages into the transaction of the change that they tell of: one row and one job for
 * each recipient, so that an address that fails never makes another one be written to again.
 * They leave when a worker calls `deliverMessage`. Doubles are left out: the same mail to the same
 * address twice, a reminder while one still waits, and in a sequence a second planned reminder,
 * invitation or cancellation to one person for the other documents.
 *
 * @param process as it is after the change
 */
export async function queueMessages(
  unit: StoreUnit,
  ports: QueuePorts,
  process: SigningProcess,
  drafts: readonly MessageDraft[],
  nowMs: number,
): Promise<void> {
  const told = new Set<string>();
  for (const draft of drafts) {
    const to = draft.to ?? addressOf(process, draft);
    const sameMail = `${draft.template} ${draft.channel} ${to.toLowerCase()}`;
    // Two signees may share an address: each needs their own link to sign.
    if (draft.template === 'Confirmation' && told.has(sameMail)) continue;
    const isOnce =
      draft.template === 'Reminder' ||
      draft.template === 'Canceled' ||
      (draft.template === 'Signup' && process.sequenceKey !== undefined);
    if (isOnce && (await isDouble(unit, process, draft, nowMs))) continue;
    told.add(sameMail);
    await addMessage(unit, ports, process, { ...draft, to, values: {} }, nowMs);
  }
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
  const { template, channel, signeeKey, to, values, includeUnsubscribe } = draft;
  const id = `ms${Buffer.from(random(16)).toString('hex')}`;
  const message: Message = {
    id,
    companyKey: process.companyKey,
    flowKey: process.flowKey,
    processKey: process.key,
    ...(signeeKey === undefined ? {} : { signeeKey }),
    template,
    channel,
    to,
    includeUnsubscribe: includeUnsubscribe === true && channel === 'Email',
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
    throw new CoreError(
      'internal.unexpected',
      `a message to a signee who is not in ${process.key}`,
    );
  }
  return (channel === 'Email' ? signee.email : signee.phoneNumber) ?? '';
}

async function isDouble(
  unit: StoreUnit,
  process: SigningProcess,
  { template, signeeKey, channel }: MessageDraft,
  nowMs: number,
): Promise<boolean> {
  const own = await unit.messages.ofProcess(process.key);
  const isSame = (each: Message) => each.template === template && each.channel === channel;
  // An invitation is asked for on purpose, or goes to a new address.
  const waits =
    template !== 'Signup' &&
    own.some((each) => isSame(each) && each.signeeKey === signeeKey && each.state === 'waiting');
  if (waits || process.sequenceKey === undefined) return waits;
  const sequence = await unit.sequences.find(process.sequenceKey);
  const person = sequence?.persons.find(({ signingKeys }) =>
    signingKeys.some((place) => place.signeeKey === signeeKey),
  );
  for (const place of person?.signingKeys ?? []) {
    if (place.processKey === process.key) continue;
    const others = await unit.messages.ofProcess(place.processKey);
    // Plans of one sequence are carried out in one transaction, at one time.
    const isTold = others.some(
      (each) => isSame(each) && each.signeeKey === place.signeeKey && each.createdAtMs === nowMs,
    );
    if (isTold) return true;
  }
  return false;
}
