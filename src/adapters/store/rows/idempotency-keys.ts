import type { AnswerHold, KeptAnswer, StoreUnit } from '../../../app/ports/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import type { Session, Tables } from '../tables.ts';

/** Answers that are given again; their texts are sealed. */
export function idempotencyKeys({ db, vault, engine }: Session): StoreUnit['idempotencyKeys'] {
  const context = (companyKey: string, key: string) => `kept_answer.data:${companyKey}:${key}`;
  const ofOwner = ({ companyKey, key, owner }: AnswerHold) =>
    db
      .updateTable('kept_answer')
      .where('company_key', '=', companyKey)
      .where('key', '=', key)
      .where('owner', '=', owner);
  return {
    async claim({ companyKey, key, requestHash, createdAtMs, owner, untilMs }) {
      const query = db.insertInto('kept_answer').values({
        company_key: companyKey,
        key,
        request_hash: requestHash,
        created_at: createdAtMs,
        owner,
        until: untilMs,
        steps: 0,
        data: null,
      });
      const taken = query.onConflict((conflict) =>
        conflict.columns(['company_key', 'key']).doNothing(),
      );
      return ((await taken.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async lock(companyKey, key) {
      const query = db
        .selectFrom('kept_answer')
        .selectAll()
        .where('company_key', '=', companyKey)
        .where('key', '=', key);
      // A write transaction of SQLite has the whole database to itself.
      const locking = engine === 'postgresql' ? query.forUpdate() : query;
      const row = await locking.executeTakeFirst();
      if (row === undefined) return undefined;
      const mark = markOf(companyKey, row);
      if (row.data === null) return mark;
      return { ...mark, answer: vault.decrypt(row.data, context(companyKey, key)) };
    },
    async takeOver(mark) {
      await db
        .updateTable('kept_answer')
        .set({ owner: mark.owner, until: mark.untilMs, created_at: mark.createdAtMs, steps: 0 })
        .where('company_key', '=', mark.companyKey)
        .where('key', '=', mark.key)
        .execute();
    },
    async advance(hold, steps) {
      return (await ofOwner(hold).set({ steps }).executeTakeFirst()).numUpdatedRows > 0n;
    },
    async renew(hold, untilMs) {
      await ofOwner(hold).set({ until: untilMs }).execute();
    },
    async keep(hold, answer) {
      const data = vault.encrypt(answer, context(hold.companyKey, hold.key));
      await ofOwner(hold).set({ data }).execute();
    },
    async remove({ companyKey, key, owner }) {
      const query = db.deleteFrom('kept_answer').where('company_key', '=', companyKey);
      await query.where('key', '=', key).where('owner', '=', owner).execute();
    },
    async removeOld(createdBeforeMs) {
      const query = db.deleteFrom('kept_answer').where('created_at', '<', createdBeforeMs);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}

function markOf(companyKey: CompanyKey, row: Tables['kept_answer']): KeptAnswer {
  return {
    companyKey,
    key: row.key,
    requestHash: row.request_hash,
    createdAtMs: row.created_at,
    owner: row.owner,
    untilMs: row.until,
    steps: row.steps,
  };
}
