import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { integer, invalid } from '../../base/input.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Message, MessageState } from '../../domain/message/index.ts';
import { type Service, useCase } from '../operation.ts';
import type { StorePorts, StoreUnit } from '../ports/index.ts';
import { requireProcess } from '../required.ts';
import type { MessagePorts } from './deliver.ts';

/** A message as its company sees it: without the values of the text. */
export interface MessageView extends Omit<Message, 'values'> {
  /** Time of the next attempt of a waiting message, in milliseconds since the epoch. */
  readonly nextAtMs?: number;
}

/** Filter of a list of messages. */
export interface MessageQuery {
  /** Only messages of this process, oldest first. Default: the whole company's, newest first. */
  readonly processKey?: string;
  /** Default: all states for a process; `waiting` and `failed` for a company. */
  readonly states?: readonly MessageState[];
  /** Maximum number of messages, 1 to 1000. Default: 100. */
  readonly take?: number;
}

/** Result of retrying many messages. */
export interface RetriedMessages {
  readonly due: readonly MessageView[];
  /** Number of messages left alone: old one-time codes, and those sent or cancelled meanwhile. */
  readonly leftCount: number;
}

const takeDefault = 100;
const takeMax = 1000;

/** Operations of a company on its messages. */
export const messageOperations = {
  /**
   * Lists messages of the company or of one process.
   *
   * @throws process.not_found, validation.error
   * @example
   * const waiting = await acme.messages.list({ states: ['waiting'] });
   */
  list: useCase(
    ['process.not_found'],
    ({ store }: StorePorts, companyKey, query: MessageQuery = {}) =>
      store.read((unit) => listMessages(unit, companyKey, query)),
  ),
  /**
   * Makes all messages in these states, of one process or of the whole company, due now. Skips old
   * one-time codes and messages that changed meanwhile. Each message has its own transaction: they
   * belong to many processes, which must not all be locked together.
   *
   * @example
   * await acme.messages.retryAll({ states: ['failed'] });
   */
  retryAll: useCase(
    ['process.not_found'],
    async (
      { store, now }: StorePorts,
      companyKey,
      query: { readonly states: readonly ('waiting' | 'failed')[]; readonly processKey?: string },
    ): Promise<RetriedMessages> => {
      const { states, processKey } = query;
      const due: MessageView[] = [];
      let leftCount = 0;
      let before: Message | undefined;
      for (;;) {
        const page = await store.read((unit) =>
          pageOf(unit, companyKey, states, processKey, before),
        );
        for (const { id } of page) {
          try {
            due.push(await store.write((unit) => retryMessage(unit, companyKey, id, now())));
          } catch (error) {
            if (!isInnsigliError(error) || error.code !== 'message.state.refused') throw error;
            leftCount += 1;
          }
        }
        before = page.at(-1);
        if (processKey !== undefined || page.length < takeMax) return { due, leftCount };
      }
    },
  ),
  /**
   * Makes one message due now, whether it waits for its next attempt or has failed permanently.
   *
   * @throws message.not_found
   * @throws message.state.refused if the message was sent or cancelled, or is an old one-time code
   * @example
   * const { state } = await acme.messages.retry(id);
   */
  retry: useCase(
    ['message.not_found', 'message.state.refused'],
    ({ store, now }: StorePorts, companyKey, id: string) =>
      store.write((unit) => retryMessage(unit, companyKey, id, now())),
  ),
};

/** The methods of {@link messageOperations}. */
export type MessageService = Service<typeof messageOperations>;

async function listMessages(
  unit: StoreUnit,
  companyKey: CompanyKey,
  { processKey, states, take = takeDefault }: MessageQuery,
): Promise<readonly MessageView[]> {
  integer(1, takeMax)(take, 'take');
  const isWanted = ({ state }: Message) => states === undefined || states.includes(state);
  const found =
    processKey === undefined
      ? await unit.messages.list({ companyKey, states: states ?? ['waiting', 'failed'], take })
      : (await messagesOf(unit, companyKey, processKey)).filter(isWanted).slice(0, take);
  const views: MessageView[] = [];
  for (const message of found) views.push(await viewed(unit, message));
  return views;
}

async function pageOf(
  unit: StoreUnit,
  companyKey: CompanyKey,
  states: readonly MessageState[],
  processKey: string | undefined,
  before: Message | undefined,
): Promise<readonly Message[]> {
  if (processKey !== undefined) {
    const all = await messagesOf(unit, companyKey, processKey);
    return all.filter(({ state }) => states.includes(state));
  }
  const filter = { companyKey, states, take: takeMax };
  return unit.messages.list(before === undefined ? filter : { ...filter, before });
}

async function messagesOf(unit: StoreUnit, companyKey: CompanyKey, processKey: string) {
  return unit.messages.ofProcess((await requireProcess(unit, companyKey, processKey)).key);
}

async function retryMessage(
  unit: StoreUnit,
  companyKey: CompanyKey,
  id: string,
  nowMs: number,
): Promise<MessageView> {
  const { processKey } = await requireMessage(unit, companyKey, id);
  // Lock order: the process first, then the rows that belong to it.
  if (processKey !== undefined) await unit.processes.lock(processKey);
  const message = await requireMessage(unit, companyKey, id);
  const { state, template } = message;
  if (state !== 'waiting' && (state !== 'failed' || template === 'OneTimeCode')) {
    const what = state === 'failed' ? 'contains a code that was deleted' : `is ${state}`;
    throw new InnsigliError('message.state.refused', `message ${id} ${what}`, {
      hint: state === 'failed' ? 'let the signee request a new code' : 'there is nothing to send',
    });
  }
  const job = await unit.jobs.find('message', id);
  // A due message may be in delivery at this moment; leave its job alone.
  const isDue = state === 'waiting' && job !== undefined && job.runAtMs <= nowMs;
  if (isDue) return viewed(unit, message);
  const { lastErrorCode: _code, lastError: _error, heldAttempts: _held, ...rest } = message;
  const again = state === 'failed' ? { ...rest, state: 'waiting' as const, attempts: 0 } : message;
  await unit.messages.save(again);
  await unit.jobs.put({ kind: 'message', ref: id, runAtMs: nowMs });
  return viewed(unit, again);
}

async function requireMessage(
  unit: StoreUnit,
  companyKey: CompanyKey,
  id: string,
): Promise<Message> {
  const message = await unit.messages.find(id);
  if (message?.companyKey === companyKey) return message;
  throw new InnsigliError('message.not_found', `there is no message ${id.slice(0, 60)}`, {
    hint: 'list queued and failed messages with innsigli message list',
  });
}

async function viewed(unit: StoreUnit, message: Message): Promise<MessageView> {
  const { values: _secret, ...view } = message;
  const job = view.state === 'waiting' ? await unit.jobs.find('message', view.id) : undefined;
  return { ...view, ...(job === undefined ? {} : { nextAtMs: job.runAtMs }) };
}

/** Delivery status of a message after the transport had accepted it. */
export interface Receipt {
  /** ID of the message: the part before `@` of its Message-ID. */
  readonly messageId: string;
  /** Event name of the provider, such as `delivered`, `opened`, `bounced`, `DELIVERED`. */
  readonly event: string;
}

/** Receipt operations of a company. A receipt appends a row to the log and changes none. */
export const receiptOperations = {
  /**
   * Records a receipt in the log of the process.
   *
   * @throws process.not_found if the company has no message with that ID; validation.error
   * @example
   * await acme.receipts.record({ messageId, event: 'delivered' });
   */
  record: useCase(
    ['process.not_found'],
    (
      { store, apply }: Pick<MessagePorts, 'store' | 'apply'>,
      companyKey,
      { messageId, event }: Receipt,
    ): Promise<void> =>
      store.write(async (unit) => {
        if (!/^[A-Za-z_.-]{1,40}$/.test(event)) invalid('event', 'expected one word of letters');
        const id = messageId.replace(/^<|>$/g, '').split('@')[0] ?? '';
        const message = await unit.messages.find(id);
        if (message?.processKey === undefined || message.companyKey !== companyKey) {
          throw new InnsigliError('process.not_found', `there is no message ${id.slice(0, 60)}`);
        }
        await apply(unit, message.processKey, commandFor(message, event));
      }),
  ),
};

/** The methods of {@link receiptOperations}. */
export type ReceiptService = Service<typeof receiptOperations>;

function commandFor({ template, channel, signeeKey }: Message, event: string) {
  const who = signeeKey === undefined ? {} : { signeeKey };
  return { type: 'messageReceipt', template, channel, ...who, event } as const;
}
