import type { Origins } from '../../../app/ports/index.ts';
import type { Session } from '../tables.ts';

/** Origins of pages, by company. */
export function origins({ db }: Session): Origins {
  return {
    async list(companyKey) {
      const query = db.selectFrom('company_origin').select('origin');
      const own = query.where('company_key', '=', companyKey);
      const rows = await own.orderBy('created_at').orderBy('origin').execute();
      return rows.map(({ origin }) => origin);
    },
    async has(origin, companyKey) {
      const all = db.selectFrom('company_origin').select('origin').where('origin', '=', origin);
      const own = companyKey === undefined ? all : all.where('company_key', '=', companyKey);
      return (await own.limit(1).executeTakeFirst()) !== undefined;
    },
    async put(companyKey, origin, nowMs) {
      const row = { origin, company_key: companyKey, created_at: nowMs };
      const query = db.insertInto('company_origin').values(row);
      await query.onConflict((conflict) => conflict.doNothing()).execute();
    },
    async remove(companyKey, origin) {
      const query = db.deleteFrom('company_origin').where('origin', '=', origin);
      const result = await query.where('company_key', '=', companyKey).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
