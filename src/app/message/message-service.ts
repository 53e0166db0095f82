import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { Message, MessageState } from '../../domain/message/index.ts';
import type { Store, StoreUnit } from '../ports/index.ts';

/** A message as its company sees it: without the values of its text. */
export interface MessageView extends Omit<Message, 'values'> {
  /** When a waiting one is tried next. */
  readonly nextAtMs?: number;
}

/** Which messages are listed. */
export interface MessageQuery {
  /** Of this process, oldest first; left out: of the whole company, newest first. */
  readonly processKey?: string;
  /** Left out: all of a process, those that wait or failed of a company. */
  readonly states?: readonly MessageState[];
  /** 1 to 1000; 100 when left out. */
  readonly take?: number;
}

/** The messages of one company. */
export interface MessageService {
  /** @throws process.not_found, validation.error */
  list(query?: MessageQuery): Promise<readonly MessageView[]>;
  /**
   * Makes all messages of these states due now, old one-time codes and what changed meanwhile left
   * out; of one process or of the whole company.
   *
   * @throws process.not_found
   */
  retryAll(query: {
    readonly states: readonly ('waiting' | 'failed')[];
    readonly processKey?: string;
  }): Promise<RetriedMessages>;
  /**
   * Makes a message due now: one that waits for its next attempt, or one that was given up.
   *
   * @throws message.not_found
   * @throws message.state.refused for one that is sent or cancelled, and for an old one-time code
   */
  retry(id: string): Promise<MessageView>;
}

/** What {@link MessageService.retryAll} did. */
export interface RetriedMessages {
  readonly due: readonly MessageView[];
  /** Old one-time codes, and what was sent or cancelled meanwhile. */
  readonly leftCount: number;
}

/** What the keeping of messages stands on. */
export interface MessageKeepingPorts {
  readonly store: Store;
  now(): number;
}

const takeDefault = 100;
const takeMax = 1000;

/** The messages of `companyKey`. */
export function messageService(
  { store, now }: MessageKeepingPorts,
  companyKey: CompanyKey,
): MessageService {
  return {
    list: (query = {}) => store.read((unit) => listMessages(unit, companyKey, query)),
    retryAll: (query) => retryMessages(store, companyKey, query, now),
    retry: (id) => store.write((unit) => retryMessage(unit, companyKey, id, now())),
  };
}

async function listMessages(
  unit: StoreUnit,
  companyKey: CompanyKey,
  { processKey, states, take = takeDefault }: MessageQuery,
): Promise<readonly MessageView[]> {
  if (!Number.isInteger(take) || take < 1 || take > takeMax) {
    throw new InnsigliError('validation.error', `take: expected 1 to ${takeMax}, found ${take}`);
  }
  const isWanted = ({ state }: Message) => states === undefined || states.includes(state);
  const found =
    processKey === undefined
      ? await unit.messages.list({ companyKey, states: states ?? ['waiting', 'failed'], take })
      : (await messagesOf(unit, companyKey, processKey)).filter(isWanted).slice(0, take);
  const views: MessageView[] = [];
  for (const message of found) views.push(await viewed(unit, message));
  return views;
}

/** One transaction each: they belong to many processes, which nobody shall lock all at once. */
async function retryMessages(
  store: Store,
  companyKey: CompanyKey,
  { states, processKey }: Parameters<MessageService['retryAll']>[0],
  now: () => number,
): Promise<RetriedMessages> {
  const due: MessageView[] = [];
  let leftCount = 0;
  let before: Message | undefined;
  for (;;) {
    const page = await store.read((unit) => pageOf(unit, companyKey, states, processKey, before));
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
  const process = await unit.processes.find(asKey('process', processKey));
  if (process?.companyKey === companyKey) return unit.messages.ofProcess(process.key);
  throw new InnsigliError('process.not_found', `there is no process ${processKey.slice(0, 40)}`);
}

async function retryMessage(
  unit: StoreUnit,
  companyKey: CompanyKey,
  id: string,
  nowMs: number,
): Promise<MessageView> {
  const { processKey } = await requireMessage(unit, companyKey, id);
  // The process first: everybody locks it before the rows that belong to it.
  if (processKey !== undefined) await unit.processes.lock(processKey);
  const message = await requireMessage(unit, companyKey, id);
  const { state, template } = message;
  if (state !== 'waiting' && (state !== 'failed' || template === 'OneTimeCode')) {
    const what = state === 'failed' ? 'holds a code that is forgotten' : `is ${state}`;
    throw new InnsigliError('message.state.refused', `message ${id} ${what}`, {
      hint: state === 'failed' ? 'the signee asks for a new code' : 'there is nothing to send',
    });
  }
  const job = await unit.jobs.find('message', id);
  // One that is due is perhaps on its way at this moment: its job is not touched.
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
    hint: 'list queued and failed ones with innsigli message list',
  });
}

async function viewed(unit: StoreUnit, message: Message): Promise<MessageView> {
  const { values: _secret, ...view } = message;
  const job = view.state === 'waiting' ? await unit.jobs.find('message', view.id) : undefined;
  return { ...view, ...(job === undefined ? {} : { nextAtMs: job.runAtMs }) };
}
