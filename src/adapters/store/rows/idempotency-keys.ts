import type { IdempotencyKeyHolder, StoredResponse, StoreUnit } from '../../../app/ports/index.ts';
import { changes, countChanged, locking, rowForm, run } from '../statements.ts';
import type { Session } from '../tables.ts';

const form = rowForm<Omit<StoredResponse, 'answer' | 'leftMs'>>()({
  companyKey: 'company_key',
  key: 'key',
  requestHash: 'request_hash',
  createdAtMs: 'created_at',
  owner: 'owner',
  steps: 'steps',
});

/** Responses stored for repeated requests; their texts are encrypted. */
export function idempotencyKeys(session: Session): StoreUnit['idempotencyKeys'] {
  const { db, vault, sql, leaseTime } = session;
  const until = (heldMs: number) => sql<number>`${leaseTime()} + ${heldMs}`;
  const context = (companyKey: string, key: string) => `kept_answer.data:${companyKey}:${key}`;
  const ofOwner = ({ companyKey, key, owner }: IdempotencyKeyHolder) =>
    db
      .updateTable('kept_answer')
      .where('company_key', '=', companyKey)
      .where('key', '=', key)
      .where('owner', '=', owner);
  return {
    async claim(mark, heldMs) {
      const row = { ...form.cells({ ...mark, steps: 0 }), data: null, until: until(heldMs) };
      const query = db.insertInto('kept_answer').values(row);
      const taken = query.onConflict((conflict) =>
        conflict.columns(['company_key', 'key']).doNothing(),
      );
      return changes(taken);
    },
    async lock(companyKey, key) {
      const query = db
        .selectFrom('kept_answer')
        .selectAll()
        .select(sql<number>`until - ${leaseTime()}`.as('left'))
        .where('company_key', '=', companyKey)
        .where('key', '=', key);
      const row = await locking(session, query).executeTakeFirst();
      if (row === undefined) return undefined;
      const mark = { ...form.join(row, {}), leftMs: Number(row.left) };
      if (row.data === null) return mark;
      return { ...mark, answer: vault.decrypt(row.data, context(companyKey, key)) };
    },
    async takeOver(mark, heldMs) {
      await db
        .updateTable('kept_answer')
        .set({ owner: mark.owner, until: until(heldMs), created_at: mark.createdAtMs, steps: 0 })
        .where('company_key', '=', mark.companyKey)
        .where('key', '=', mark.key)
        .execute();
    },
    advance: (hold, steps) => changes(ofOwner(hold).set({ steps })),
    renew: (hold, heldMs) => run(ofOwner(hold).set({ until: until(heldMs) })),
    async keep(hold, answer) {
      const data = vault.encrypt(answer, context(hold.companyKey, hold.key));
      await ofOwner(hold).set({ data }).execute();
    },
    async remove({ companyKey, key, owner }) {
      const query = db.deleteFrom('kept_answer').where('company_key', '=', companyKey);
      await query.where('key', '=', key).where('owner', '=', owner).execute();
    },
    removeOld: (createdBeforeMs) =>
      countChanged(db.deleteFrom('kept_answer').where('created_at', '<', createdBeforeMs)),
  };
}
