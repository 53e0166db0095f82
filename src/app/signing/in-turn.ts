import type { ProcessKey } from '../../domain/keys.ts';
import type { Store } from '../ports/index.ts';

const queues = new WeakMap<Store, Map<ProcessKey, Promise<unknown>>>();

/**
 * Does `work` when all earlier work on the same document has ended. It only saves signatures that
 * would be made in vain within one program; what decides between several is the transaction.
 */
export async function inTurn<T>(store: Store, key: ProcessKey, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new Map<ProcessKey, Promise<unknown>>();
  queues.set(store, queue);
  const before = queue.get(key) ?? Promise.resolve();
  const turn = before.then(work, work);
  queue.set(key, turn);
  try {
    return await turn;
  } finally {
    if (queue.get(key) === turn) queue.delete(key);
  }
}
