import type { FormDrafts, KeptDraft } from '../../../app/ports/index.ts';
import type { FlowKey } from '../../../domain/keys.ts';
import { countChanged, run } from '../statements.ts';
import type { Session } from '../tables.ts';

/** Answers to forms that are not sent yet; their texts are encrypted. */
export function formDrafts({ db, vault, engine }: Session): FormDrafts {
  const byKey = (key: string) => db.selectFrom('form_draft').selectAll().where('key', '=', key);
  const contextOf = (key: string) => `form_draft.data:${key}`;
  type Row = Awaited<ReturnType<ReturnType<typeof byKey>['executeTakeFirst']>>;
  const opened = (row: Row, nowMs: number): KeptDraft | undefined => {
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
      // A missing row cannot be locked: of two transactions one would lose its answers.
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
      // The holder of a locked row rewrites it: two waiting for each other would never end.
      const free = engine === 'sqlite' ? stale : stale.forUpdate().skipLocked();
      return countChanged(db.deleteFrom('form_draft').where('key', 'in', free));
    },
    async removeBeyond(flowKey, count) {
      const ofFlow = db.selectFrom('form_draft').where('flow_key', '=', flowKey);
      const newest = ofFlow.select(['forgotten_at', 'key']).orderBy('forgotten_at', 'desc');
      // Of those that were saved in the same millisecond the key says which goes.
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
