import type { Flows } from '../../../app/ports/index.ts';
import type { Flow, FlowSchema } from '../../../domain/flow/index.ts';
import type { CompanyKey, FlowKey } from '../../../domain/keys.ts';
import { prepared } from '../prepared.ts';
import { fromJson, optional, type Session, type Tables, toJson } from '../tables.ts';

const find = prepared((db, { key }: { readonly key: FlowKey }) =>
  db.selectFrom('flow').selectAll().where('key', '=', key),
);

/** Flows and the versions of their schemas. */
export function flows(session: Session): Flows {
  const { db, engine } = session;
  return {
    async add(flow) {
      await db.insertInto('flow').values(flowRow(flow)).execute();
    },
    async find(key) {
      const { rows } = await find(session, { key });
      return rows[0] && flowOf(rows[0]);
    },
    async lock(key) {
      const query = db.selectFrom('flow').selectAll().where('key', '=', key);
      // A write transaction of SQLite has the whole database to itself. Of PostgreSQL this lock
      // lets processes of the flow be added.
      const locking = engine === 'postgresql' ? query.forNoKeyUpdate() : query;
      const row = await locking.executeTakeFirst();
      return row && flowOf(row);
    },
    async list(companyKey, type) {
      const all = db.selectFrom('flow').selectAll().where('company_key', '=', companyKey);
      const query = type === undefined ? all : all.where('type', '=', type);
      return (await query.orderBy('created_at').orderBy('key').execute()).map(flowOf);
    },
    async save(flow) {
      const { key, ...rest } = flowRow(flow);
      await db.updateTable('flow').set(rest).where('key', '=', key).execute();
    },
    async schemas(key) {
      const query = db.selectFrom('flow_schema').selectAll().where('flow_key', '=', key);
      return (await query.orderBy('created_at').orderBy('version').execute()).map(schemaOf);
    },
    async findSchema(key, version) {
      const query = db.selectFrom('flow_schema').selectAll().where('flow_key', '=', key);
      const row = await query.where('version', '=', version).executeTakeFirst();
      return row && schemaOf(row);
    },
    async putSchema({ flowKey, version, createdAtMs, updatedAtMs, ...rest }) {
      const changed = { updated_at: updatedAtMs, data: toJson(rest) };
      await db
        .insertInto('flow_schema')
        .values({ flow_key: flowKey, version, created_at: createdAtMs, ...changed })
        .onConflict((conflict) => conflict.columns(['flow_key', 'version']).doUpdateSet(changed))
        .execute();
    },
  };
}

function flowRow(flow: Flow): Tables['flow'] {
  const { key, companyKey, type, createdAtMs, templateSha256, ...rest } = flow;
  return {
    key,
    company_key: companyKey,
    type,
    created_at: createdAtMs,
    template_sha256: templateSha256 ?? null,
    data: toJson(rest),
  };
}

function flowOf(row: Tables['flow']): Flow {
  return Object.assign(
    fromJson<Omit<Flow, 'key' | 'companyKey' | 'type' | 'createdAtMs'>>(row.data),
    {
      key: row.key as FlowKey,
      companyKey: row.company_key as CompanyKey,
      type: row.type as Flow['type'],
      createdAtMs: row.created_at,
      ...optional('templateSha256', row.template_sha256),
    },
  );
}

function schemaOf(row: Tables['flow_schema']): FlowSchema {
  return Object.assign(fromJson<Pick<FlowSchema, 'schema'>>(row.data), {
    flowKey: row.flow_key as FlowKey,
    version: row.version,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  });
}
