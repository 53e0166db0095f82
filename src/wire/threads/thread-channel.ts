import { defined } from '../../base/defined.ts';
import { errorKinds, InnsigliError, isInnsigliError } from '../../base/errors.ts';

/** An error as a cloneable value. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

/** A thread as seen by its parent, structurally compatible with node:worker_threads. */
export interface WorkerThread {
  postMessage(value: unknown, moved?: readonly ArrayBuffer[]): void;
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown;
  terminate(): Promise<unknown>;
}

/** One end of a message channel. */
export interface Port {
  postMessage(value: unknown, moved?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
}

/** Functions that the other side may call, by name. */
export type Handlers = Readonly<Record<string, (value: never) => unknown>>;

/** A handler result whose buffers are transferred instead of copied. */
export class Moved {
  readonly value: unknown;
  readonly buffers: readonly ArrayBuffer[];

  constructor(value: unknown, buffers: readonly ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** Calls over a {@link Port}, in both directions. */
export interface Channel {
  /**
   * Returns the result of a handler on the other side.
   *
   * @param moved buffers in `value` that are transferred, not copied, and become unusable here
   * @throws what the handler of the other side threw
   */
  call(name: string, value?: unknown, moved?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Fails every pending and later call with this error. */
  fail(error: unknown): void;
}

type Message =
  | { readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: ErrorData };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Opens a channel over `port` whose other side may call `handlers`. */
export function openChannel(port: Port, handlers: Handlers): Channel {
  // A Map would retain completed calls: see LiveSet.
  const waiting: (Waiting | undefined)[] = [];
  const freeIds: number[] = [];
  let failure: { readonly error: unknown } | undefined;

  const answer = async (id: number, name: string, value: unknown) => {
    try {
      const answered = await handlers[name]?.(value as never);
      const { value: sent, buffers } = answered instanceof Moved ? answered : plain(answered);
      port.postMessage({ id, answer: sent }, buffers);
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
    const call = waiting[message.id];
    waiting[message.id] = undefined;
    if (call !== undefined) freeIds.push(message.id);
    if ('error' in message) call?.reject(errorOf(message.error));
    else call?.resolve(message.answer);
  });
  return {
    call(name, value, moved = []) {
      if (failure !== undefined) return Promise.reject(failure.error);
      const id = freeIds.pop() ?? waiting.length;
      return new Promise((resolve, reject) => {
        waiting[id] = { resolve, reject };
        port.postMessage({ id, name, value }, moved);
      });
    },
    fail(error) {
      failure = { error };
      for (const call of waiting.splice(0)) call?.reject(error);
    },
  };
}

function plain(value: unknown): Pick<Moved, 'value' | 'buffers'> {
  return { value, buffers: [] };
}

/** Converts an error to a cloneable value. All but {@link InnsigliError} are internal faults. */
export function errorData(error: unknown): ErrorData {
  if (isInnsigliError(error)) {
    const { code, message, hint, details } = error;
    return { code, message, details, ...defined({ hint }) };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal.unexpected', message, details: {} };
}

/** Restores the error that {@link errorData} converted. */
export function errorOf({ code, message, hint, details }: ErrorData): InnsigliError {
  const known = (
    Object.hasOwn(errorKinds, code) ? code : 'internal.unexpected'
  ) as InnsigliError['code'];
  return new InnsigliError(known, message, { details, ...defined({ hint }) });
}
