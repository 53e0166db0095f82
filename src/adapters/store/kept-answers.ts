import type { StoreUnit } from '../../app/ports/index.ts';
import type { Session } from './tables.ts';

/** Answers that are given again; their texts are sealed. */
export function keptAnswers({ db, vault }: Session): StoreUnit['keptAnswers'] {
  const context = (companyKey: string, key: string) => `kept_answer.data:${companyKey}:${key}`;
  return {
    async claim({ companyKey, key, requestHash, createdAtMs }) {
      const query = db.insertInto('kept_answer').values({
        company_key: companyKey,
        key,
        request_hash: requestHash,
        created_at: createdAtMs,
        data: null,
      });
      const taken = query.onConflict((conflict) =>
        conflict.columns(['company_key', 'key']).doNothing(),
      );
      return ((await taken.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    async find(companyKey, key) {
      const row = await db
        .selectFrom('kept_answer')
        .selectAll()
        .where('company_key', '=', companyKey)
        .where('key', '=', key)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { request_hash: requestHash, created_at: createdAtMs, data } = row;
      const mark = { companyKey, key, requestHash, createdAtMs };
      if (data === null) return mark;
      return { ...mark, answer: vault.open(data, context(companyKey, key)) };
    },
    async keep(companyKey, key, answer) {
      const data = vault.seal(answer, context(companyKey, key));
      await db
        .updateTable('kept_answer')
        .set({ data })
        .where('company_key', '=', companyKey)
        .where('key', '=', key)
        .execute();
    },
    async remove(companyKey, key) {
      await db
        .deleteFrom('kept_answer')
        .where('company_key', '=', companyKey)
        .where('key', '=', key)
        .execute();
    },
    async removeOld(createdBeforeMs) {
      const query = db.deleteFrom('kept_answer').where('created_at', '<', createdBeforeMs);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}
