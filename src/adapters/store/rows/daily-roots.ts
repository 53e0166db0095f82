import type { ActivityLog } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import type { DailyRoot } from '../../../domain/activity/index.ts';
import { rootsWithoutGaps } from '../migrations.ts';
import { changes, rowForm } from '../statements.ts';
import type { Session, Tables } from '../tables.ts';

const form = rowForm<Omit<DailyRoot, 'token'>>()({
  companyKey: 'company_key',
  day: 'day',
  count: 'count',
  version: 'version',
  root: 'root',
  createdAtMs: 'created_at',
});

type DailyRoots = Pick<
  ActivityLog,
  'dailyRoots' | 'rootsFromMs' | 'nextRowMs' | 'addDailyRoot' | 'stampDailyRoot'
>;

const withoutToken = ['company_key', 'day', 'version', 'count', 'root', 'created_at'] as const;

/** Daily roots of a log. An existing root and its time-stamp are never replaced. */
export function dailyRoots({ db }: Session): DailyRoots {
  return {
    async dailyRoots(companyKey, tokens) {
      const all = db.selectFrom('daily_root').where('company_key', '=', companyKey).orderBy('day');
      if (tokens !== 'none') return (await all.selectAll().execute()).map(rootOf);
      const rows = await all.select(withoutToken).execute();
      return rows.map((row) => rootOf({ ...row, token: null }));
    },
    async rootsFromMs(companyKey) {
      const company = db.selectFrom('company').select('created_at as at');
      const made = await company.where('key', '=', companyKey).executeTakeFirst();
      const step = db.selectFrom('schema_version').select('applied_at as at');
      const updated = await step.where('version', '=', rootsWithoutGaps).executeTakeFirst();
      return Math.max(made?.at ?? 0, updated?.at ?? 0);
    },
    async nextRowMs(companyKey, fromMs) {
      const query = db
        .selectFrom('activity')
        .select((e) => e.fn.min('created_at').as('at'))
        .where('company_key', '=', companyKey)
        .where('created_at', '>=', fromMs);
      const { at } = await query.executeTakeFirstOrThrow();
      return at === null ? undefined : Number(at);
    },
    async addDailyRoot(root) {
      const query = db.insertInto('daily_root').values({ ...form.cells(root), token: null });
      const added = query.onConflict((conflict) => conflict.doNothing());
      return changes(added);
    },
    async stampDailyRoot({ companyKey, day }, token) {
      const query = db
        .updateTable('daily_root')
        .set({ token: Buffer.from(token) })
        .where('company_key', '=', companyKey)
        .where('day', '=', day)
        .where('token', 'is', null);
      return changes(query);
    },
  };
}

function rootOf(row: Tables['daily_root']): DailyRoot {
  const version = row.version === 1 ? 1 : 2;
  const token = row.token === null ? undefined : bytesOf(row.token);
  return { ...form.join({ ...row, version }, {}), ...defined({ token }) };
}

// SQLite columns accept values of any type; anything but a blob is not a time-stamp.
function bytesOf(token: unknown): Uint8Array {
  return token instanceof Uint8Array ? new Uint8Array(token) : new Uint8Array();
}
