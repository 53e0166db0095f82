import type { Flows } from '../../../app/ports/index.ts';
import type { Flow, FlowSchema } from '../../../domain/flow/index.ts';
import type { FlowKey } from '../../../domain/keys.ts';
import { prepared, rowForm, run } from '../statements.ts';
import type { Session } from '../tables.ts';

const form = rowForm<Flow>()({
  key: 'key',
  companyKey: 'company_key',
  type: 'type',
  createdAtMs: 'created_at',
  templateSha256: 'template_sha256',
});
const schemaForm = rowForm<FlowSchema>()({
  flowKey: 'flow_key',
  version: 'version',
  createdAtMs: 'created_at',
  updatedAtMs: 'updated_at',
});

const find = prepared((db, { key }: { readonly key: FlowKey }) =>
  db.selectFrom('flow').selectAll().where('key', '=', key),
);

/** Flows and the versions of their schemas. */
export function flows(session: Session): Flows {
  const { db, engine } = session;
  return {
    add: (flow) => run(db.insertInto('flow').values(form.row(flow))),
    async find(key) {
      const { rows } = await find(session, { key });
      return rows[0] && form.value(rows[0]);
    },
    async lock(key) {
      const query = db.selectFrom('flow').selectAll().where('key', '=', key);
      // A write transaction of SQLite has the whole database to itself. Of PostgreSQL this lock
      // lets processes of the flow be added.
      const locking = engine === 'postgresql' ? query.forNoKeyUpdate() : query;
      const row = await locking.executeTakeFirst();
      return row && form.value(row);
    },
    async list(companyKey, type) {
      const all = db.selectFrom('flow').selectAll().where('company_key', '=', companyKey);
      const query = type === undefined ? all : all.where('type', '=', type);
      return (await query.orderBy('created_at').orderBy('key').execute()).map(form.value);
    },
    async save(flow) {
      const { key, ...rest } = form.row(flow);
      await db.updateTable('flow').set(rest).where('key', '=', key).execute();
    },
    async schemas(key) {
      const query = db.selectFrom('flow_schema').selectAll().where('flow_key', '=', key);
      return (await query.orderBy('created_at').orderBy('version').execute()).map(schemaForm.value);
    },
    async findSchema(key, version) {
      const query = db.selectFrom('flow_schema').selectAll().where('flow_key', '=', key);
      const row = await query.where('version', '=', version).executeTakeFirst();
      return row && schemaForm.value(row);
    },
    async putSchema(schema) {
      const row = schemaForm.row(schema);
      const { updated_at, data } = row;
      await db
        .insertInto('flow_schema')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['flow_key', 'version']).doUpdateSet({ updated_at, data }),
        )
        .execute();
    },
  };
}
