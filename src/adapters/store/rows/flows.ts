import type { Flows, FormDrafts, StoredDraft } from '../../../app/ports/index.ts';
import type { Flow, FlowSchema } from '../../../domain/flow/index.ts';
import type { FlowKey } from '../../../domain/keys.ts';
import { countChanged, firstOf, firstRow, prepared, rowForm, run } from '../statements.ts';
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
    find: (key) => firstRow(find(session, { key }), form.value),
    async lock(key) {
      const query = db.selectFrom('flow').selectAll().where('key', '=', key);
      // A write transaction of SQLite locks the whole database. In PostgreSQL, this lock still
      // permits adding processes of the flow.
      return firstOf(engine === 'postgresql' ? query.forNoKeyUpdate() : query, form.value);
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
      return firstOf(query.where('version', '=', version), schemaForm.value);
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

/** Unsent answers to forms; their texts are encrypted. */
export function formDrafts({ db, vault, engine }: Session): FormDrafts {
  const byKey = (key: string) => db.selectFrom('form_draft').selectAll().where('key', '=', key);
  const contextOf = (key: string) => `form_draft.data:${key}`;
  type Row = Awaited<ReturnType<ReturnType<typeof byKey>['executeTakeFirst']>>;
  const opened = (row: Row, nowMs: number): StoredDraft | undefined => {
    if (row === undefined || row.data === '' || row.forgotten_at <= nowMs) return undefined;
    const { key, flow_key: flowKey, forgotten_at: forgottenAtMs, data } = row;
    const text = vault.decrypt(data, contextOf(key));
    return { key, flowKey: flowKey as FlowKey, forgottenAtMs, text };
  };
  return {
    async find(key, nowMs) {
      return opened(await byKey(key).executeTakeFirst(), nowMs);
    },
    async lock(key, flowKey, nowMs) {
      if (engine === 'sqlite') return opened(await byKey(key).executeTakeFirst(), nowMs);
      // A missing row cannot be locked: of two concurrent transactions, one would lose its answers.
      const row = { key, flow_key: flowKey, forgotten_at: 0, data: '' };
      const insert = db.insertInto('form_draft').values(row);
      await insert.onConflict((conflict) => conflict.column('key').doNothing()).execute();
      return opened(await byKey(key).forUpdate().executeTakeFirst(), nowMs);
    },
    async save({ key, flowKey, forgottenAtMs, text }) {
      const fresh = { forgotten_at: forgottenAtMs, data: vault.encrypt(text, contextOf(key)) };
      const query = db.insertInto('form_draft').values({ key, flow_key: flowKey, ...fresh });
      await query.onConflict((conflict) => conflict.column('key').doUpdateSet(fresh)).execute();
    },
    remove: (key) => run(db.deleteFrom('form_draft').where('key', '=', key)),
    removeForgotten(nowMs) {
      const stale = db.selectFrom('form_draft').select('key').where('forgotten_at', '<=', nowMs);
      // The holder of a locked row rewrites it. Waiting for that row could cause a deadlock.
      const free = engine === 'sqlite' ? stale : stale.forUpdate().skipLocked();
      return countChanged(db.deleteFrom('form_draft').where('key', 'in', free));
    },
    async removeBeyond(flowKey, count) {
      const ofFlow = db.selectFrom('form_draft').where('flow_key', '=', flowKey);
      const newest = ofFlow.select(['forgotten_at', 'key']).orderBy('forgotten_at', 'desc');
      // Drafts saved in the same millisecond are ordered by key.
      const first = await newest.orderBy('key', 'desc').offset(count).limit(1).executeTakeFirst();
      if (first === undefined) return 0;
      const { forgotten_at: at, key } = first;
      const old = ofFlow
        .select('key')
        .where('forgotten_at', '<=', at)
        .where(({ eb, or }) => or([eb('forgotten_at', '<', at), eb('key', '<=', key)]));
      const free = engine === 'sqlite' ? old : old.forUpdate().skipLocked();
      return countChanged(db.deleteFrom('form_draft').where('key', 'in', free));
    },
  };
}
