import type { Sequences } from '../../../../app/ports/index.ts';
import type { SequenceKey } from '../../../../domain/keys.ts';
import type { Sequence } from '../../../../domain/sequence.ts';
import { firstOf, locking, rowForm, run } from '../../statements.ts';
import type { Session } from '../../tables.ts';

const form = rowForm<Sequence>()({
  key: 'key',
  companyKey: 'company_key',
  rev: 'rev',
  createdAtMs: 'created_at',
});

/** Sequences, guarded by their `rev`. */
export function sequences(session: Session): Sequences {
  const { db } = session;
  const byKey = (key: SequenceKey) => db.selectFrom('sequence').selectAll().where('key', '=', key);
  return {
    add: (sequence) => run(db.insertInto('sequence').values(form.row(sequence))),
    find: (key) => firstOf(byKey(key), form.value),
    lock: (key) => firstOf(locking(session, byKey(key)), form.value),
    async save(next) {
      const { key, rev, data } = form.row(next);
      const query = db.updateTable('sequence').set({ rev, data }).where('key', '=', key);
      const result = await query.where('rev', '=', rev - 1).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async list(companyKey, { skip, take }) {
      const rows = await db
        .selectFrom('sequence')
        .selectAll()
        .where('company_key', '=', companyKey)
        .orderBy('created_at', 'desc')
        .orderBy('key')
        .limit(take)
        .offset(skip)
        .execute();
      return rows.map(form.value);
    },
  };
}
