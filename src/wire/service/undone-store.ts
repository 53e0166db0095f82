import type { Store, StoreUnit } from '../../app/ports/index.ts';

type Write = Store['write'];

/**
 * A store whose writes are done and then undone: what they return is right, and nothing stays. For
 * rehearsals, whose work is that of real requests.
 */
export function undoneStore(store: Store): Store {
  return {
    ...store,
    write: undone(store.write),
    writeLightly: undone(store.writeLightly),
    writeBeside: undone(store.writeBeside),
    claimJobs: async () => [],
    checkpoint: async () => undefined,
  };
}

/** Leaves a transaction, so that the store undoes it. */
class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('the transaction of a rehearsal is undone');
    this.result = result;
  }
}

function undone(write: Write): Write {
  return async <T>(work: (unit: StoreUnit) => Promise<T>): Promise<T> => {
    try {
      return await write(async (unit): Promise<T> => {
        throw new Undone(await work(unit));
      });
    } catch (error) {
      if (error instanceof Undone) return error.result as T;
      throw error;
    }
  };
}
