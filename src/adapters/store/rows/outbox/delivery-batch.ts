import type { Webhooks } from '../../../../app/ports/index.ts';
import type { WebhookType } from '../../../../domain/process/index.ts';
import type { Session } from '../../tables.ts';
import { keyList, rowInsert, rowList } from '../row-list.ts';
import { attemptForm, deliveryForm, eventOf } from './outbox-rows.ts';

const addAttempts = rowInsert('delivery_attempt', {
  delivery_id: 'TEXT',
  number: 'BIGINT',
  data: 'TEXT',
});

/** Reads and writes of many deliveries with one statement each: a worker has hundreds in hand. */
export function deliveryBatch(session: Session) {
  const { db, sql, vault } = session;
  return {
    async findDeliveries(ids) {
      const query = db.selectFrom('delivery').selectAll();
      const rows = await query.where('id', 'in', keyList(session, ids)).execute();
      return new Map(rows.map((row) => [row.id, deliveryForm.value(row)]));
    },
    async findEvents(ids) {
      const query = db.selectFrom('webhook_event').selectAll();
      const rows = await query.where('id', 'in', keyList(session, ids)).execute();
      return new Map(rows.map((row) => [row.id, eventOf(row, vault)]));
    },
    async eventHeads(ids) {
      const query = db.selectFrom('webhook_event').select(['id', 'type', 'seq']);
      const rows = await query.where('id', 'in', keyList(session, ids)).execute();
      return new Map(rows.map(({ id, type, seq }) => [id, { type: type as WebhookType, seq }]));
    },
    async saveDeliveries(deliveries, attempts) {
      const changed = deliveries
        .map(deliveryForm.row)
        .map(({ id, state, data }) => [id, state, data]);
      if (changed.length > 0) {
        const rows = rowList(session, changed, ['TEXT', 'TEXT', 'TEXT']);
        await sql`UPDATE delivery SET state = v.column2, data = v.column3
          FROM ${rows} AS v WHERE delivery.id = v.column1`.execute(db);
      }
      await addAttempts(session, attempts.map(attemptForm.row));
    },
  } satisfies Partial<Webhooks>;
}
