import { randomInt } from 'node:crypto';
import type { Session } from './tables.ts';

/** Largest id of the interface, which has 32 bits with a sign. */
const ID_MAX = 2 ** 31 - 1;
const FIRST_MAX = 2 ** 30;
const STEP_MAX = 2 ** 16;

/**
 * Adds a row under an id that tells nothing of other companies: the first one of a flow is any, and
 * each next one is higher by any step, so that ids have the order in which they were given.
 *
 * @param insert adds it, unless the id is taken: false then
 */
export async function insertUnderFreshId(
  { db }: Session,
  table: 'webhook' | 'email_template',
  flowKey: string,
  insert: (id: number) => Promise<boolean>,
): Promise<number> {
  const query = db.selectFrom(table).select((e) => e.fn.max('id').as('last'));
  const row = await query.where('flow_key', '=', flowKey).executeTakeFirst();
  let id = nextId(Number(row?.last ?? 0));
  while (!(await insert(id))) id = nextId(id);
  return id;
}

function nextId(last: number): number {
  const isRoom = last > 0 && last <= ID_MAX - STEP_MAX;
  return isRoom ? last + randomInt(1, STEP_MAX) : randomInt(1, FIRST_MAX);
}
