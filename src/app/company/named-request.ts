import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, InnsigliError } from '../../base/errors.ts';
import { isOutcomeUnknown, isStoreAway, pauses } from '../patient-store.ts';
import type { AnswerHold, AnswerMark, Store, StoreUnit } from '../ports/index.ts';

/** Dependencies of a request with a name. */
export interface NamedRequestPorts {
  /** Without the marks that {@link markedStore} adds. */
  readonly store: Store;
  now(): number;
}

/** A request that holds its name. */
export interface NamedRequest {
  /** Does the work of the request: each of its transactions holds the name. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps its answer, at once or when the database can take it. */
  keep(answer: string): Promise<void>;
  /** Frees the name, at once or when the database can; not when its work was or may be done. */
  drop(): Promise<void>;
  /** Resolves when nothing of it is left to be written. */
  readonly over: Promise<void>;
  /** Holds the name for longer. */
  renew(unit: StoreUnit, heldMs: number): Promise<void>;
}

type Transaction = <T>(store: Store, work: (unit: StoreUnit) => Promise<T>) => Promise<T>;

/** The transactions of a request. */
interface Transactions {
  readonly read: Transaction;
  readonly write: Transaction;
}

/** Longest wait for a database that went away when something was, or may have been, written. */
const PATIENCE_MS = 30_000;
/** An answer goes out after this time although it could not be kept yet. */
const ANSWER_WAIT_MS = 1000;

const current = new AsyncLocalStorage<Transactions>();

/**
 * A store whose transactions, when they are part of the work of a {@link NamedRequest}, note in the
 * same commit that they were done. So a repeat knows whether there is anything to do; a request
 * that has lost its name, because its program was taken for dead, writes nothing any more.
 */
export function markedStore(store: Store): Store {
  return {
    ...store,
    read: (work) => current.getStore()?.read(store, work) ?? store.read(work),
    write: (work) => current.getStore()?.write(store, work) ?? store.write(work),
    writeLightly: (work) => current.getStore()?.write(store, work) ?? store.writeLightly(work),
    writeBeside: (work) => current.getStore()?.write(store, work) ?? store.writeBeside(work),
  };
}

/** The request of `mark`, which has taken its name. */
export function namedRequest({ store, now }: NamedRequestPorts, mark: AnswerMark): NamedRequest {
  const work = stepsOf(store, mark);
  let failure: unknown;
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const settle = async (last: () => Promise<void>) => {
    work.end();
    const settled = last().finally(end);
    await Promise.race([settled, sleep(ANSWER_WAIT_MS, undefined, { ref: false })]);
  };
  const isWorth = () => now() < mark.createdAtMs + KEPT_MS;
  const persist = (change: (unit: StoreUnit) => Promise<void>) =>
    persistently(() => store.write(change), isWorth);
  return {
    run: (handle) =>
      current.run(work, async () => {
        try {
          return await handle();
        } catch (error) {
          failure = error;
          throw error;
        }
      }),
    keep: (answer) => settle(() => persist((unit) => unit.idempotencyKeys.keep(mark, answer))),
    drop: () =>
      settle(async () => {
        const isDone = await work.mayBeDone(failure);
        if (!isDone) await persist((unit) => unit.idempotencyKeys.remove(mark));
      }),
    over,
    renew: (unit, heldMs) => unit.idempotencyKeys.renew(mark, heldMs),
  };
}

interface Steps extends Transactions {
  /** Ends the work: later transactions do not belong to it. */
  end(): void;
  /**
   * True if a request that failed like this may have written data that must not be written twice.
   */
  mayBeDone(failure: unknown): Promise<boolean>;
}

/** The transactions of a request, counted in the row of its name. */
function stepsOf(store: Store, mark: AnswerMark): Steps {
  let steps = 0;
  let isOver = false;
  let isUnknown = false;
  let turn: Promise<unknown> = Promise.resolve();
  const writeStep = async <T>(within: Store, work: (unit: StoreUnit) => Promise<T>): Promise<T> => {
    const step = steps + 1;
    let result: { readonly value: T } | undefined;
    try {
      await within.write(async (unit) => {
        if (!(await unit.idempotencyKeys.advance(mark, step))) throw takenOver();
        result = { value: await work(unit) };
      });
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      isUnknown = true;
      const isWritten = await learn(store, mark, step, PATIENCE_MS);
      if (isWritten === undefined) throw error;
      isUnknown = false;
      if (!isWritten) throw nothingDone(error);
    }
    steps = step;
    return (result as { readonly value: T }).value;
  };
  /** A request that has begun to write is brought to its end: it cannot be begun anew. */
  const patiently = async <T>(transaction: () => Promise<T>): Promise<T> => {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for await (const _ of pauses()) {
      try {
        return await transaction();
      } catch (error) {
        const mayTry = steps > 0 && !isUnknown && isStoreAway(error);
        if (!mayTry || performance.now() > giveUpAt) throw error;
      }
    }
    throw new Error('unreachable: the pauses do not end');
  };
  return {
    read: (within, work) => (isOver ? within.read(work) : patiently(() => within.read(work))),
    write: (within, work) => {
      if (isOver) return within.write(work);
      // One after the other, so that the number of steps says which of them are written.
      const next = turn.then(() => patiently(() => writeStep(within, work)));
      turn = next.catch(() => undefined);
      return next;
    },
    end() {
      isOver = true;
    },
    async mayBeDone(failure) {
      if (isUnknown) return (await learn(store, mark, steps + 1, KEPT_MS)) !== false || steps > 0;
      if (steps === 0 || failure === undefined) return false;
      return isStoreAway(failure) || codeOf(failure) === 'internal.unexpected';
    },
  };
}

/** Time for which a name and its answer are kept. */
export const KEPT_MS = 24 * 60 * 60_000;

/** Does `work` again until the store takes it, or `isWorth` says that nobody needs it any more. */
async function persistently(work: () => Promise<void>, isWorth: () => boolean): Promise<void> {
  for await (const _ of pauses(false)) {
    try {
      return await work();
    } catch (error) {
      if (!codeOf(error).startsWith('store.') || !isWorth()) return;
    }
  }
}

/**
 * True if a transaction of the request was written; undefined if the database did not answer in
 * time. The row is locked: it waits for transactions that the server has not ended yet.
 */
async function learn(
  store: Store,
  hold: AnswerHold,
  step: number,
  timeoutMs: number,
): Promise<boolean | undefined> {
  const giveUpAt = performance.now() + timeoutMs;
  for await (const _ of pauses(false)) {
    try {
      const found = await store.write(({ idempotencyKeys }) =>
        idempotencyKeys.lock(hold.companyKey, hold.key),
      );
      return found?.owner === hold.owner && found.steps >= step;
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
    if (performance.now() > giveUpAt) break;
  }
  return undefined;
}

function takenOver(): InnsigliError {
  return new InnsigliError('idempotency.in_flight', 'send the request again', {
    details: { retryAfterSeconds: 2 },
  });
}

function nothingDone(cause: unknown): InnsigliError {
  return new InnsigliError(
    'store.unavailable',
    'the connection to the database was lost; ' + 'nothing was changed',
    {
      cause,
    },
  );
}
