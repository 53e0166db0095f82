import { isInnsigliError } from '../../base/errors.ts';
import type { WebhookEvent } from '../../domain/webhook/index.ts';
import type { StoreUnit } from '../ports/index.ts';

/** Stands for a row whose encrypted part cannot be opened. */
export const unreadable = Symbol('unreadable');

/** What `find` gives; {@link unreadable} when it cannot be opened. */
export async function readable<T>(find: () => Promise<T>): Promise<T | typeof unreadable> {
  try {
    return await find();
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'vault.invalid') return unreadable;
    throw error;
  }
}

/** Events by id; one that cannot be read keeps no other from being found. */
export async function findEvents(
  { webhooks }: StoreUnit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WebhookEvent | typeof unreadable>> {
  const all = await readable(() => webhooks.findEvents(ids));
  if (all !== unreadable) return all;
  const found = new Map<string, WebhookEvent | typeof unreadable>();
  for (const id of ids) {
    const event = await readable(() => webhooks.findEvent(id));
    if (event !== undefined) found.set(id, event);
  }
  return found;
}
