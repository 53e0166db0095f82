import type { SelectQueryBuilder } from 'kysely';
import type { ActivityLog } from '../../../app/ports/index.ts';
import { attemptAny } from '../../../base/errors.ts';
import type { Activity, PersonalValue } from '../../../domain/activity/index.ts';
import type { CompanyKey, ProcessKey } from '../../../domain/keys.ts';
import { prepared, rowForm } from '../statements.ts';
import { type Session, type Tables, toJson } from '../tables.ts';
import { dailyRoots } from './daily-roots.ts';
import { keyList, rowInsert } from './row-list.ts';

type Personal = ReadonlyMap<number, readonly PersonalValue[]>;

/** Maximum number of keys per statement; more keys require several statements. */
const KEYS_AT_ONCE = 500;

// A literal, because SQLite prepares a statement again whenever a value is bound to its LIMIT.
const head = prepared((db, { key }: { readonly key: ProcessKey }, { sql }) =>
  db
    .selectFrom('activity')
    .select(['seq', 'hash', 'created_at as createdAtMs'])
    .where('process_key', '=', key)
    .orderBy('seq', 'desc')
    .limit(sql.lit(1)),
);

const form = rowForm<Activity>()({
  processKey: 'process_key',
  seq: 'seq',
  companyKey: 'company_key',
  createdAtMs: 'created_at',
  hash: 'hash',
});
const addRows = rowInsert('activity', {
  process_key: 'TEXT',
  seq: 'BIGINT',
  company_key: 'TEXT',
  created_at: 'BIGINT',
  hash: 'TEXT',
  data: 'TEXT',
});
const addPersonal = rowInsert('activity_personal', {
  process_key: 'TEXT',
  seq: 'BIGINT',
  data: 'TEXT',
});

/** The activity log with its personal values and daily roots. */
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
    heads: (keys) => headsOf(session, keys),
    append: (all) => appendRows(session, all),
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
    erasePersonal: (key, kept) => erasePersonal(session, key, kept),
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
    orphans: (companyKey, take) => orphans(session, companyKey, take),
    ...dailyRoots(session),
  };
}

async function orphans(
  { db }: Session,
  companyKey: CompanyKey,
  take: number,
): Promise<readonly ProcessKey[]> {
  const query = db
    .selectFrom('activity')
    .leftJoin('process', (on) =>
      on
        .onRef('process.key', '=', 'activity.process_key')
        .on('process.company_key', '=', companyKey),
    )
    .select('activity.process_key')
    .distinct()
    .where('activity.company_key', '=', companyKey)
    .where('process.key', 'is', null);
  const rows = await query.limit(take).execute();
  return rows.map(({ process_key }) => process_key);
}

async function headsOf(
  session: Session,
  keys: readonly ProcessKey[],
): ReturnType<ActivityLog['heads']> {
  const { rows } = await session.sql<{ key: string; seq: number; hash: string; at: number }>`
    SELECT a.process_key AS key, a.seq, a.hash, a.created_at AS at
    FROM ${keyList(session, keys)} AS k JOIN activity AS a ON a.process_key = k.column1
      AND a.seq = (SELECT MAX(o.seq) FROM activity AS o WHERE o.process_key = k.column1)
    `.execute(session.db);
  return new Map(
    rows.map(({ key, seq, hash, at }) => [key as ProcessKey, { seq, hash, createdAtMs: at }]),
  );
}

async function appendRows(
  session: Session,
  all: Parameters<ActivityLog['append']>[0],
): Promise<void> {
  const rows = all.map(({ row }) => form.row(row));
  await addRows(session, rows);
  const noted = all.filter(({ personal }) => personal.length > 0);
  const values = noted.map(({ row, personal }) => {
    return { process_key: row.processKey, seq: row.seq, data: toJson(personal) };
  });
  await addPersonal(session, values);
}

function ordered<Table extends 'activity' | 'activity_personal', O>(
  query: SelectQueryBuilder<Tables, Table, O>,
  keys: readonly ProcessKey[],
) {
  // Both tables have these columns, but Kysely cannot infer that for a union.
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

function grouped<Row extends { readonly process_key: ProcessKey }, T>(
  rows: readonly Row[],
  made: (row: Row) => T,
): Map<ProcessKey, T[]> {
  const groups = new Map<ProcessKey, T[]>();
  for (const row of rows) {
    const key = row.process_key;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [made(row)]);
    else group.push(made(row));
  }
  return groups;
}

async function erasePersonal(
  { db }: Session,
  key: ProcessKey,
  kept: 'commitments' | undefined,
): Promise<void> {
  const stored = db.selectFrom('activity_personal').selectAll().where('process_key', '=', key);
  const rows = kept === undefined ? [] : await stored.execute();
  await db.deleteFrom('activity_personal').where('process_key', '=', key).execute();
  const bare = rows.flatMap(({ seq, data }) => {
    const salts = personalValues(data).filter(({ value }) => value === undefined);
    return salts.length === 0 ? [] : [{ process_key: key, seq, data: toJson(salts) }];
  });
  if (bare.length > 0) await db.insertInto('activity_personal').values(bare).execute();
}

function personalMap(rows: readonly Tables['activity_personal'][]): Personal {
  return new Map(rows.map(({ seq, data }) => [seq, personalValues(data)]));
}

/** Personal values of a row. Text modified elsewhere is replaced by a value that matches no row. */
function personalValues(data: string): readonly PersonalValue[] {
  const found = parsed(data);
  const isList = Array.isArray(found) && found.every(isPersonalValue);
  return isList ? found : [{ name: '', salt: '', value: '' }];
}

function isPersonalValue(each: unknown): each is PersonalValue {
  if (typeof each !== 'object' || each === null) return false;
  const { name, salt, value } = each as Partial<PersonalValue>;
  const isText = typeof name === 'string' && typeof salt === 'string';
  return isText && (value === undefined || typeof value === 'string');
}

function parsed(data: string): unknown {
  return attemptAny(() => JSON.parse(data));
}

function fromRow(row: Tables['activity']): Activity {
  const found = parsed(row.data);
  // If the data is not an object, its members are missing, and the verification of the chain fails.
  return form.join(row, typeof found === 'object' && found !== null ? found : {});
}
