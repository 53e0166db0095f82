import type { Watchlists } from '../../../app/ports/index.ts';
import type { WatchEntry } from '../../../domain/screening/index.ts';
import { fromJson, type Session, toJson } from '../tables.ts';

/** Rows of one statement: well below what an engine takes as parameters. */
const ROWS_AT_ONCE = 200;

/** Lists that companies imported for screening, in the order of their files. */
export function watchlists({ db }: Session): Watchlists {
  return {
    async replace(companyKey, list, entries) {
      const old = db.deleteFrom('watch_entry').where('company_key', '=', companyKey);
      await old.where('list', '=', list).execute();
      const rows = entries.map((entry, number) => ({
        company_key: companyKey,
        list,
        number,
        data: toJson(entry),
      }));
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        const some = rows.slice(at, at + ROWS_AT_ONCE);
        await db.insertInto('watch_entry').values(some).execute();
      }
    },
    async entries(companyKey) {
      const query = db.selectFrom('watch_entry').select('data');
      const rows = await query
        .where('company_key', '=', companyKey)
        .orderBy('list')
        .orderBy('number')
        .execute();
      return rows.map(({ data }) => fromJson<WatchEntry>(data));
    },
  };
}
