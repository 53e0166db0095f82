import type { Webhooks } from '../../app/ports/index.ts';
import { deliveryOf, deliveryRow, eventOf } from './outbox-rows.ts';
import { type Session, toJson } from './tables.ts';

/** Keys or rows that one statement names; more go in turn. */
const atOnce = 500;

/** Reads and writes of many deliveries with one statement each: a worker has hundreds in hand. */
export function deliveryBatch({ db, sql, vault }: Session) {
  return {
    async findDeliveries(ids) {
      const rows = await inPortions(ids, (some) =>
        db.selectFrom('delivery').selectAll().where('id', 'in', some).execute(),
      );
      return new Map(rows.map((row) => [row.id, deliveryOf(row)]));
    },
    async findEvents(ids) {
      const rows = await inPortions(ids, (some) =>
        db.selectFrom('webhook_event').selectAll().where('id', 'in', some).execute(),
      );
      return new Map(rows.map((row) => [row.id, eventOf(row, vault)]));
    },
    async saveDeliveries(deliveries, attempts) {
      await inPortions(deliveries.map(deliveryRow), async (some) => {
        const rows = some.map(({ id, state, data }) => sql`(${id}, ${state}, ${data})`);
        // Both engines name the columns of VALUES column1, column2 and so on.
        await sql`UPDATE delivery SET state = v.column2, data = v.column3
          FROM (VALUES ${sql.join(rows)}) AS v WHERE delivery.id = v.column1`.execute(db);
        return [];
      });
      const rows = attempts.map(({ deliveryId, number, ...rest }) => ({
        delivery_id: deliveryId,
        number,
        data: toJson(rest),
      }));
      await inPortions(rows, async (some) => {
        await db.insertInto('delivery_attempt').values(some).execute();
        return [];
      });
    },
  } satisfies Partial<Webhooks>;
}

/** Asks for so many keys or rows at a time as one statement may name. */
export async function inPortions<Key, Row>(
  keys: readonly Key[],
  ask: (some: readonly Key[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < keys.length; at += atOnce) {
    found.push(...(await ask(keys.slice(at, at + atOnce))));
  }
  return found;
}
