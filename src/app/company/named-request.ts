import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, InnsigliError } from '../../base/errors.ts';
import { isOutcomeUnknown, isStoreAway, pauses } from '../patient-store.ts';
import type {
  IdempotencyKeyClaim,
  IdempotencyKeyHolder,
  Store,
  StoreUnit,
} from '../ports/index.ts';

/** Dependencies of a request with an idempotency key. */
export interface NamedRequestPorts {
  /** The plain store, not one wrapped by {@link markedStore}. */
  readonly store: Store;
  now(): number;
}

/** A request that holds its idempotency key. */
export interface NamedRequest {
  /** Runs the work of the request: each transaction verifies that it still holds the key. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Stores the response, immediately or once the database is available. */
  keep(answer: string): Promise<void>;
  /** Releases the key, now or once the database is up; not if work was or may have been done. */
  drop(): Promise<void>;
  /** Resolves once nothing of the request remains to be written. */
  readonly over: Promise<void>;
  /** Extends the hold on the key. */
  renew(unit: StoreUnit, heldMs: number): Promise<void>;
}

type Transaction = <T>(store: Store, work: (unit: StoreUnit) => Promise<T>) => Promise<T>;

interface Transactions {
  readonly read: Transaction;
  readonly write: Transaction;
}

/** Longest wait for a database that failed after something was, or may have been, written. */
const PATIENCE_MS = 30_000;
/** A response is sent after this time even if it could not be stored yet. */
const ANSWER_WAIT_MS = 1000;

const current = new AsyncLocalStorage<Transactions>();

/**
 * A store whose transactions, when part of the work of a {@link NamedRequest}, record their
 * completion in the same commit. A repeated request thus knows whether anything remains to be done;
 * a request that has lost its key, because its program was considered dead, writes nothing more.
 */
export function markedStore(store: Store): Store {
  return {
    ...store,
    read: (work) => current.getStore()?.read(store, work) ?? store.read(work),
    write: (work) => current.getStore()?.write(store, work) ?? store.write(work),
    writeRelaxed: (work) => current.getStore()?.write(store, work) ?? store.writeRelaxed(work),
    writeOverlapped: (work) =>
      current.getStore()?.write(store, work) ?? store.writeOverlapped(work),
  };
}

/** Creates the request of `mark`, which has claimed its key. */
export function namedRequest(
  { store, now }: NamedRequestPorts,
  mark: IdempotencyKeyClaim,
): NamedRequest {
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
  /** Ends the work: later transactions are not part of it. */
  end(): void;
  /** True if a request that failed with this error may have written what must not be repeated. */
  mayBeDone(failure: unknown): Promise<boolean>;
}

/** The transactions of a request, counted in the row of its idempotency key. */
function stepsOf(store: Store, mark: IdempotencyKeyClaim): Steps {
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
      const isWritten = await findOutcome(store, mark, step, PATIENCE_MS);
      if (isWritten === undefined) throw error;
      isUnknown = false;
      if (!isWritten) throw nothingDone(error);
    }
    steps = step;
    return (result as { readonly value: T }).value;
  };
  /** A request that has begun to write must be completed: it cannot be restarted. */
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
      // One after another, so that the number of steps tells which of them were written.
      const next = turn.then(() => patiently(() => writeStep(within, work)));
      turn = next.catch(() => undefined);
      return next;
    },
    end() {
      isOver = true;
    },
    async mayBeDone(failure) {
      if (isUnknown)
        return (await findOutcome(store, mark, steps + 1, KEPT_MS)) !== false || steps > 0;
      if (steps === 0 || failure === undefined) return false;
      return isStoreAway(failure) || codeOf(failure) === 'internal.unexpected';
    },
  };
}

/** Time for which an idempotency key and its response are stored. */
export const KEPT_MS = 24 * 60 * 60_000;

/** Retries `work` until the store accepts it, or `isWorth` reports that it is no longer needed. */
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
 * Whether a transaction of the request was written; undefined if the database did not respond in
 * time. Locking the row waits for transactions that the server has not ended yet.
 */
async function findOutcome(
  store: Store,
  hold: IdempotencyKeyHolder,
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
    'the connection to the database was lost; nothing was changed',
    {
      cause,
    },
  );
}
