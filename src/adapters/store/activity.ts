import type { SelectQueryBuilder } from 'kysely';
import type { ActivityLog } from '../../app/ports/index.ts';
import type { Activity, DailyRoot, PersonalValue } from '../../domain/activity/index.ts';
import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';
import { insertRow, prepared } from './prepared.ts';
import { fromJson, optional, type Session, type Tables, toJson } from './tables.ts';

type Columns = 'processKey' | 'seq' | 'companyKey' | 'createdAtMs' | 'hash';
type Personal = ReadonlyMap<number, readonly PersonalValue[]>;

/** Keys that one statement names; more are asked for in turn. */
const KEYS_AT_ONCE = 500;

const head = prepared((db, { key }: { readonly key: ProcessKey }) =>
  db
    .selectFrom('activity')
    .select(['seq', 'hash', 'created_at as createdAtMs'])
    .where('process_key', '=', key)
    .orderBy('seq', 'desc')
    .limit(1),
);

/** The activity log, the personal values beside it, and the roots of its days. */
export function activityLog(session: Session): ActivityLog {
  const { db } = session;
  const rowsOf = (keys: readonly ProcessKey[]) =>
    inPortions(keys, (some) => ordered(db.selectFrom('activity').selectAll(), some).execute());
  const personalRowsOf = (keys: readonly ProcessKey[]) =>
    inPortions(keys, (some) =>
      ordered(db.selectFrom('activity_personal').selectAll(), some).execute(),
    );
  return {
    async head(key) {
      const { rows } = await head(session, { key });
      return rows[0];
    },
    async append(row, personal) {
      await insertRow(session, 'activity', toRow(row));
      if (personal.length === 0) return;
      const place = { process_key: row.processKey, seq: row.seq };
      await insertRow(session, 'activity_personal', { ...place, data: toJson(personal) });
    },
    async rows(key) {
      return (await rowsOf([key])).map(fromRow);
    },
    async rowsOf(keys) {
      return grouped(await rowsOf(keys), fromRow);
    },
    async personal(key) {
      return personalMap(await personalRowsOf([key]));
    },
    async personalOf(keys) {
      const found = grouped(await personalRowsOf(keys), (row) => row);
      return new Map([...found].map(([key, rows]) => [key, personalMap(rows)]));
    },
    async erasePersonal(key) {
      await db.deleteFrom('activity_personal').where('process_key', '=', key).execute();
    },
    async hashesBetween(companyKey, fromMs, toMs) {
      const query = db
        .selectFrom('activity')
        .select('hash')
        .where('company_key', '=', companyKey)
        .where('created_at', '>=', fromMs)
        .where('created_at', '<', toMs);
      const rows = await query.orderBy('process_key').orderBy('seq').execute();
      return rows.map(({ hash }) => hash);
    },
    async dailyRoots(companyKey) {
      const query = db.selectFrom('daily_root').selectAll().where('company_key', '=', companyKey);
      return (await query.orderBy('day').execute()).map(rootOf);
    },
    async putDailyRoot({ companyKey, day, count, root, token, createdAtMs }) {
      const octets = token === undefined ? null : Buffer.from(token);
      const changed = { count, root, token: octets, created_at: createdAtMs };
      await db
        .insertInto('daily_root')
        .values({ company_key: companyKey, day, ...changed })
        .onConflict((conflict) => conflict.columns(['company_key', 'day']).doUpdateSet(changed))
        .execute();
    },
  };
}

function ordered<Table extends 'activity' | 'activity_personal', O>(
  query: SelectQueryBuilder<Tables, Table, O>,
  keys: readonly ProcessKey[],
) {
  // Both tables have these columns, which Kysely cannot know of a union.
  const either = query as unknown as SelectQueryBuilder<Tables, 'activity', O>;
  return either.where('process_key', 'in', keys).orderBy('process_key').orderBy('seq');
}

async function inPortions<T>(
  keys: readonly ProcessKey[],
  ask: (some: readonly ProcessKey[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (keys.length === 0) return [];
  if (keys.length <= KEYS_AT_ONCE) return ask(keys);
  const found: T[] = [];
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    for (const row of await ask(keys.slice(at, at + KEYS_AT_ONCE))) found.push(row);
  }
  return found;
}

function grouped<Row extends { readonly process_key: string }, T>(
  rows: readonly Row[],
  made: (row: Row) => T,
): Map<ProcessKey, T[]> {
  const groups = new Map<ProcessKey, T[]>();
  for (const row of rows) {
    const key = row.process_key as ProcessKey;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [made(row)]);
    else group.push(made(row));
  }
  return groups;
}

function personalMap(rows: readonly Tables['activity_personal'][]): Personal {
  return new Map(rows.map(({ seq, data }) => [seq, fromJson<readonly PersonalValue[]>(data)]));
}

function toRow(value: Activity): Tables['activity'] {
  const { processKey, seq, companyKey, createdAtMs, hash, ...rest } = value;
  return {
    process_key: processKey,
    seq,
    company_key: companyKey,
    created_at: createdAtMs,
    hash,
    data: toJson(rest),
  };
}

function fromRow(row: Tables['activity']): Activity {
  return Object.assign(fromJson<Omit<Activity, Columns>>(row.data), {
    processKey: row.process_key as ProcessKey,
    seq: row.seq,
    companyKey: row.company_key as CompanyKey,
    createdAtMs: row.created_at,
    hash: row.hash,
  });
}

function rootOf(row: Tables['daily_root']): DailyRoot {
  return {
    companyKey: row.company_key as CompanyKey,
    day: row.day,
    count: row.count,
    root: row.root,
    createdAtMs: row.created_at,
    ...optional('token', row.token === null ? null : new Uint8Array(row.token)),
  };
}
