import type { ActivityLog } from '../../app/ports/index.ts';
import type { DailyRoot } from '../../domain/activity/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { rootsWithoutGaps } from './migrations.ts';
import { optional, type Session, type Tables } from './tables.ts';

type DailyRoots = Pick<
  ActivityLog,
  'dailyRoots' | 'lastRoot' | 'rootsFromMs' | 'addDailyRoot' | 'stampDailyRoot'
>;

/** The roots of the days of a log: one that is there, and its time-stamp, are never replaced. */
export function dailyRoots({ db }: Session): DailyRoots {
  return {
    async dailyRoots(companyKey) {
      const query = db.selectFrom('daily_root').selectAll().where('company_key', '=', companyKey);
      return (await query.orderBy('day').execute()).map(rootOf);
    },
    async lastRoot(companyKey) {
      const query = db.selectFrom('daily_root').select(['day', 'digest']);
      const newest = query.where('company_key', '=', companyKey).orderBy('day', 'desc').limit(1);
      const row = await newest.executeTakeFirst();
      return row?.digest ? { day: row.day, digest: row.digest } : undefined;
    },
    async rootsFromMs(companyKey) {
      const company = db.selectFrom('company').select('created_at as at');
      const made = await company.where('key', '=', companyKey).executeTakeFirst();
      const step = db.selectFrom('schema_version').select('applied_at as at');
      const updated = await step.where('version', '=', rootsWithoutGaps).executeTakeFirst();
      return Math.max(made?.at ?? 0, updated?.at ?? 0);
    },
    async addDailyRoot({ companyKey, day, version, count, root, digest, createdAtMs }) {
      const rest = { version, count, root, digest, token: null, created_at: createdAtMs };
      const query = db.insertInto('daily_root').values({ company_key: companyKey, day, ...rest });
      const added = query.onConflict((conflict) => conflict.doNothing());
      return (await added.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    },
    async stampDailyRoot({ companyKey, day, digest }, token) {
      const query = db
        .updateTable('daily_root')
        .set({ token: Buffer.from(token), digest })
        .where('company_key', '=', companyKey)
        .where('day', '=', day)
        .where('token', 'is', null);
      return (await query.executeTakeFirst()).numUpdatedRows === 1n;
    },
  };
}

function rootOf(row: Tables['daily_root']): DailyRoot {
  return {
    companyKey: row.company_key as CompanyKey,
    day: row.day,
    count: row.count,
    version: row.version === 1 ? 1 : 2,
    root: row.root,
    createdAtMs: row.created_at,
    ...optional('token', row.token === null ? null : new Uint8Array(row.token)),
  };
}
