import type { Selectable } from 'kysely';
import type { DeliveryFilter, Webhooks } from '../../../../app/ports/index.ts';
import type { FlowKey, ProcessKey } from '../../../../domain/keys.ts';
import type { WebhookType } from '../../../../domain/process/index.ts';
import type { Webhook } from '../../../../domain/webhook/index.ts';
import {
  changes,
  findDecrypted,
  firstOf,
  insertRow,
  insertUnderFreshId,
  locking,
  prepared,
  run,
} from '../../statements.ts';
import { fromJson, type Session, type Tables, toJson } from '../../tables.ts';
import { keyList, rowInsert, rowList } from '../row-list.ts';
import { attemptForm, deliveryForm, eventOf, eventRow, webhookForm } from './outbox-rows.ts';

const ofFlow = prepared((db, { key }: { readonly key: FlowKey }) =>
  db.selectFrom('webhook').selectAll().where('flow_key', '=', key).orderBy('id'),
);

/** Webhooks, their events and deliveries; secrets and bodies are encrypted. */
export function webhooks(session: Session): Webhooks {
  const { db, vault } = session;
  return {
    ...registrations(session),
    ...deliveryBatch(session),
    addEvent: (event) => insertRow(session, 'webhook_event', eventRow(event, vault)),
    async findEvent(id) {
      const query = db.selectFrom('webhook_event').selectAll().where('id', '=', id);
      return firstOf(query, (row) => eventOf(row, vault));
    },
    async eventCount(key) {
      const query = db.selectFrom('webhook_event').select((e) => e.fn.countAll<number>().as('n'));
      const row = await query.where('process_key', '=', key).executeTakeFirstOrThrow();
      return row.n;
    },
    addDelivery: (delivery) =>
      run(
        db.insertInto('delivery').values((e) => ({
          ...deliveryForm.row(delivery),
          company_key: e
            .selectFrom('webhook_event')
            .select('company_key')
            .where('id', '=', delivery.eventId),
        })),
      ),
    findDelivery: (id) =>
      firstOf(db.selectFrom('delivery').selectAll().where('id', '=', id), deliveryForm.value),
    async saveDelivery(delivery) {
      const { id, state, data } = deliveryForm.row(delivery);
      await db.updateTable('delivery').set({ state, data }).where('id', '=', id).execute();
    },
    async deliveries(filter) {
      return (await deliveryQuery(session, filter).execute()).map(deliveryForm.value);
    },
    async attempts(deliveryId) {
      const query = db.selectFrom('delivery_attempt').selectAll();
      const rows = query.where('delivery_id', '=', deliveryId).orderBy('number');
      return (await rows.execute()).map(attemptForm.value);
    },
    eraseOf: (key) => eraseOutbox(session, key),
    removeUnbound: (createdBeforeMs) => removeUnbound(session, createdBeforeMs),
  };
}

async function removeUnbound({ db }: Session, createdBeforeMs: number): Promise<void> {
  const events = db
    .selectFrom('webhook_event')
    .select('id')
    .where('process_key', 'is', null)
    .where('created_at', '<', createdBeforeMs);
  const deliveries = db.selectFrom('delivery').select('id').where('event_id', 'in', events);
  await db.deleteFrom('job').where('kind', '=', 'webhook').where('ref', 'in', deliveries).execute();
  await db.deleteFrom('delivery_attempt').where('delivery_id', 'in', deliveries).execute();
  await db.deleteFrom('delivery').where('event_id', 'in', events).execute();
  await db
    .deleteFrom('webhook_event')
    .where('process_key', 'is', null)
    .where('created_at', '<', createdBeforeMs)
    .execute();
}

/** Erases what was sent about a process, and cancels pending deliveries. */
async function eraseOutbox({ db, vault }: Session, key: ProcessKey): Promise<void> {
  await cancelWaiting(db, 'process_key', key);
  const own = db.selectFrom('delivery').select('id').where('process_key', '=', key);
  await db.deleteFrom('delivery_attempt').where('delivery_id', 'in', own).execute();
  const events = db.selectFrom('webhook_event').selectAll().where('process_key', '=', key);
  for (const event of (await events.execute()).map((row) => eventOf(row, vault))) {
    const { documentSha256: _gone, ...rest } = event;
    const { id, ...row } = eventRow({ ...rest, body: ['', ''] }, vault);
    await db.updateTable('webhook_event').set(row).where('id', '=', id).execute();
  }
}

/** Cancels pending deliveries and their jobs. */
async function cancelWaiting(
  db: Session['db'],
  column: 'process_key' | 'webhook_id',
  value: string | number,
): Promise<void> {
  const waiting = db
    .selectFrom('delivery')
    .select('id')
    .where(column, '=', value)
    .where('state', '=', 'waiting');
  await db.deleteFrom('job').where('kind', '=', 'webhook').where('ref', 'in', waiting).execute();
  await db
    .updateTable('delivery')
    .set({ state: 'canceled' })
    .where(column, '=', value)
    .where('state', '=', 'waiting')
    .execute();
}

function registrations(session: Session) {
  const { db, vault } = session;
  const context = (id: number) => `webhook.secrets:${id}`;
  const sealed = (id: number, secrets: readonly string[]) =>
    vault.encrypt(toJson(secrets), context(id));
  const fromRow = (row: WebhookRow): Webhook =>
    webhookOf(row, vault.decrypt(row.secrets, context(row.id)));
  const listed = (row: WebhookRow): Webhook =>
    findDecrypted(() => fromRow(row)) ?? webhookOf(row, '[]');
  return {
    async add({ secrets, ...rest }) {
      const columns = webhookForm.row(rest);
      return insertUnderFreshId(session, 'webhook', rest.flowKey, async (id) => {
        // Deliveries of a removed webhook still refer to its id, so the id must not be reused.
        const old = db.selectFrom('delivery').select('id').where('webhook_id', '=', id).limit(1);
        if ((await old.executeTakeFirst()) !== undefined) return false;
        const query = db
          .insertInto('webhook')
          .values({ id, ...columns, secrets: sealed(id, secrets) })
          .onConflict((conflict) => conflict.column('id').doNothing());
        return changes(query);
      });
    },
    find: (id) => firstOf(db.selectFrom('webhook').selectAll().where('id', '=', id), fromRow),
    async lock(id) {
      const query = db.selectFrom('webhook').selectAll().where('id', '=', id);
      return firstOf(locking(session, query), fromRow);
    },
    async forFlow(key) {
      return (await ofFlow(session, { key })).rows.map(listed);
    },
    async save({ id, secrets, ...rest }) {
      const row = { ...webhookForm.row(rest), secrets: sealed(id, secrets) };
      await db.updateTable('webhook').set(row).where('id', '=', id).execute();
    },
    async remove(id) {
      const query = db.deleteFrom('webhook').where('id', '=', id);
      if ((await query.executeTakeFirst()).numDeletedRows === 0n) return false;
      await cancelWaiting(db, 'webhook_id', id);
      return true;
    },
  } satisfies Partial<Webhooks>;
}

type WebhookRow = Selectable<Tables['webhook']>;

function webhookOf(row: WebhookRow, secrets: string): Webhook {
  const rest = { id: row.id, secrets: fromJson<readonly string[]>(secrets) };
  return Object.assign(webhookForm.value(row), rest);
}

function deliveryQuery({ db }: Session, filter: DeliveryFilter) {
  const { companyKey, webhookId, processKey, state, sinceMs, take } = filter;
  let query = db.selectFrom('delivery').selectAll().where('company_key', '=', companyKey);
  if (webhookId !== undefined) query = query.where('webhook_id', '=', webhookId);
  if (processKey !== undefined) query = query.where('process_key', '=', processKey);
  if (state !== undefined) query = query.where('state', '=', state);
  if (sinceMs !== undefined) query = query.where('created_at', '>=', sinceMs);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(take);
}

const addAttempts = rowInsert('delivery_attempt', {
  delivery_id: 'TEXT',
  number: 'BIGINT',
  data: 'TEXT',
});

/** Reads or writes many deliveries in a single statement: a worker handles hundreds at once. */
function deliveryBatch(session: Session) {
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
