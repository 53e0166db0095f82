import { CoreError, errorKinds, isCoreError } from '../../base/errors.ts';
import type { ItemError } from './batch.types.ts';

/** The end of a message channel, as threads have it. */
export interface Port {
  postMessage(value: unknown): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
}

/** What the other side may call, by name. */
export type Handlers = Readonly<Record<string, (value: never) => unknown>>;

/** Calls over a {@link Port}, in both directions. */
export interface Channel {
  /** The answer of the other side. @throws what the handler of the other side threw */
  call(name: string, value?: unknown): Promise<unknown>;
  /** Ends every call that waits, and every later one, with this error. */
  fail(error: unknown): void;
}

type Message =
  | { readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: ItemError };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A channel over `port` whose other side may call `handlers`. */
export function openChannel(port: Port, handlers: Handlers): Channel {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let failure: { readonly error: unknown } | undefined;

  const answer = async (id: number, name: string, value: unknown) => {
    try {
      port.postMessage({ id, answer: await handlers[name]?.(value as never) });
    } catch (error) {
      port.postMessage({ id, error: errorData(error) });
    }
  };
  port.on('message', (value) => {
    const message = value as Message;
    if ('name' in message) {
      void answer(message.id, message.name, message.value);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.answer);
  });
  return {
    call(name, value) {
      if (failure !== undefined) return Promise.reject(failure.error);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        port.postMessage({ id, name, value });
      });
    },
    fail(error) {
      failure = { error };
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}

/** An error as data: what is not a {@link CoreError} is a fault of ours. */
export function errorData(error: unknown): ItemError {
  if (isCoreError(error)) {
    const { code, message, hint, details } = error;
    return { code, message, details, ...(hint === undefined ? {} : { hint }) };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal.unexpected', message, details: {} };
}

/** The error that {@link errorData} was made of. */
export function errorOf({ code, message, hint, details }: ItemError): CoreError {
  const known = (
    Object.hasOwn(errorKinds, code) ? code : 'internal.unexpected'
  ) as CoreError['code'];
  return new CoreError(known, message, { details, ...(hint === undefined ? {} : { hint }) });
}
