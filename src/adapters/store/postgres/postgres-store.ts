import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, RawBuilder } from 'kysely';
import type { Store, StoreUnit, Vault } from '../../../app/ports/index.ts';
import { openUnderWay } from '../../../base/live/index.ts';
import { migrate, readVersion, schemaVersion } from '../migrate.ts';
import type { ColumnTypes } from '../migrations.ts';
import { claimDueJobs, hasDueJobs } from '../rows/outbox/jobs.ts';
import type { Session, Tables } from '../tables.ts';
import { openUnit } from '../unit.ts';
import {
  codedPostgresError,
  commitError,
  isConnectionLost,
  isRetryable,
} from './postgres-errors.ts';
import { type BoundedPool, openPostgresPool, type PostgresLimits } from './postgres-pool.ts';

/** Options of {@link openPostgresStore}. */
export interface PostgresStoreOptions extends Partial<PostgresLimits> {
  /** Connection string, `postgres://…`. */
  readonly dsn: string;
  readonly vault: Vault;
  /** Epoch milliseconds, recorded with each migration. */
  readonly now: () => number;
  /** Lease time in milliseconds, for tests. Default: the time of the database. */
  readonly leaseNow?: () => number;
}

const defaultPostgresLimits: PostgresLimits = {
  connections: 10,
  connectTimeoutMs: 5000,
  queryTimeoutMs: 15_000,
};

interface Opened {
  readonly pool: BoundedPool;
  readonly db: Kysely<Tables>;
  readonly kysely: typeof import('kysely');
}

const TRIES = 12;
/** Connections that failed while idle are discovered one at a time. */
const TRIES_OF_LOST = 3;
/** Arbitrary number, the same for all processes of this program. */
const MIGRATION_LOCK = 0x1_4e5f;

const types: ColumnTypes = {
  key: 'TEXT COLLATE "C"',
  big: 'BIGINT',
  blob: 'BYTEA',
  counter: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  explicitIds: (table) => [`ALTER TABLE ${table} ALTER COLUMN id DROP IDENTITY IF EXISTS`],
  clustered: '',
  member: (name) => `(data::json ->> '${name}')`,
  json: (column) => `${column}::json`,
  elements: 'json_array_elements',
  searchIndex: [
    // Without the extension, a search scans the list of the company.
    `DO $$ BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX process_search_text ON process_search USING gin (text gin_trgm_ops);
    EXCEPTION WHEN OTHERS THEN NULL; END $$`,
  ],
  // Leaves space for a row's next version on its page; vacuums before a fifth of the table is dead.
  tuning: ['job', 'process', 'message', 'kept_answer'].map(
    (table) => `ALTER TABLE ${table} SET (fillfactor = 70,
      autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)`,
  ),
};

/**
 * Opens the store in a PostgreSQL database, for any number of hosts.
 *
 * Writes use READ COMMITTED: data on which a decision depends is locked or guarded by `rev`. Each
 * read sees a single snapshot.
 *
 * @throws store.unavailable, store.schema.newer, store.busy, store.full, store.readonly
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const [kysely, { default: pg }] = await Promise.all([import('kysely'), import('pg')]);
  const limits = { ...defaultPostgresLimits, ...options };
  const open = (changes: Partial<PostgresLimits>) => {
    const pool = openPostgresPool({ ...limits, ...changes, pg, dsn: options.dsn });
    const dialect = new kysely.PostgresDialect({ pool });
    return { db: new kysely.Kysely<Tables>({ dialect }), kysely, pool };
  };
  const opened = open({});
  try {
    if ((await schemaVersionOf(opened, opened.db)) !== schemaVersion) {
      // Creating an index over many rows may take long.
      const patient = open({ connections: 1, queryTimeoutMs: Number.POSITIVE_INFINITY });
      await bringUpToDate(patient, options).finally(() => patient.db.destroy());
    }
    return storeOver(opened, options);
  } catch (error) {
    await opened.db.destroy();
    throw codedPostgresError(error);
  }
}

async function schemaVersionOf(
  { kysely: { sql } }: Pick<Opened, 'kysely'>,
  on: Kysely<Tables>,
): Promise<number> {
  const { rows } = await sql<{ found: string | null }>`
    SELECT to_regclass('schema_version') AS found`.execute(on);
  return readVersion(on, rows[0]?.found !== null);
}

async function bringUpToDate(opened: Opened, options: PostgresStoreOptions): Promise<void> {
  const { sql } = opened.kysely;
  await opened.db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    // Another process may have migrated the schema in the meantime.
    const found = await schemaVersionOf(opened, transaction);
    await migrate({ db: transaction, sql }, types, found, options.now());
  });
}

function databaseTime(sql: Session['sql']): RawBuilder<number> {
  return sql<number>`(extract(epoch FROM statement_timestamp()) * 1000)::bigint`;
}

function sessions(
  { sql }: Opened['kysely'],
  { vault, leaseNow }: PostgresStoreOptions,
): (db: Kysely<Tables>) => Session {
  const own = databaseTime(sql);
  const leaseTime = () =>
    leaseNow === undefined ? own : sql<number>`${Math.round(leaseNow())}::bigint`;
  const common = { sql, vault, engine: 'postgresql', leaseTime } as const;
  return (db) => ({ ...common, db, execute: (query) => db.executeQuery(query) });
}

function storeOver({ db, kysely, pool }: Opened, options: PostgresStoreOptions): Store {
  const { sql } = kysely;
  const sessionOf = sessions(kysely, options);
  const reading = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => work(sessionOf(transaction)))
      .catch((error: unknown) => {
        // Reads change nothing and can be repeated.
        throw isConnectionLost(error) ? new NothingChanged(error) : error;
      });
  const writing = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    let isBegun = false;
    let isDone = false;
    const builder = db.transaction().setIsolationLevel('read committed');
    try {
      return await builder.execute(async (transaction) => {
        isBegun = true;
        const result = await work(sessionOf(transaction));
        isDone = true;
        return result;
      });
    } catch (error) {
      if (isDone) throw commitError(error);
      throw !isBegun && isConnectionLost(error) ? new NothingChanged(error) : error;
    }
  };
  const underWay = openUnderWay();
  const retried = <T>(work: () => Promise<T>): Promise<T> => underWay.add(withRetries(work, pool));
  const write = <T>(work: (unit: StoreUnit) => Promise<T>) =>
    retried(() => writing((session) => work(openUnit(session))));
  return {
    read: <T>(work: (unit: StoreUnit) => Promise<T>) =>
      retried(() => reading((session) => work(openUnit(session)))),
    write,
    writeRelaxed: write,
    writeInBackground: write,
    claimJobs: (claim) =>
      retried(async () => {
        if (!(await hasDueJobs(sessionOf(db), claim))) return [];
        return claimDueJobs(sessionOf(db), claim);
      }),
    health: () =>
      retried(async () => {
        const schemaVersion = await readVersion(db, true);
        const query = sql<{ version: string; now: number }>`
          SELECT current_setting('server_version') AS version, ${databaseTime(sql)} AS now`;
        const [{ version, now } = { version: '', now: 0 }] = (await query.execute(db)).rows;
        return { engine: 'postgresql', schemaVersion, version, nowMs: Number(now) } as const;
      }),
    checkpoint: async () => undefined,
    requireInPlace: () => undefined,
    async close() {
      await underWay.ended();
      if (!pool.isClosed) await db.destroy();
    },
  };
}

/** The connection was lost before it changed anything. */
class NothingChanged extends Error {
  override readonly name = 'NothingDone';

  constructor(cause: unknown) {
    super('the connection broke before anything was changed', { cause });
  }
}

/** The result of `work`, which is repeated if the error permits it. */
async function withRetries<T>(work: () => Promise<T>, pool: BoundedPool): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof NothingChanged;
      const isLast = attempt === (isLost ? TRIES_OF_LOST : TRIES);
      // The driver uses the same message for waiting on our own pool and on the server.
      const why = isLost ? error.cause : error;
      if (isLast || !(isLost || isRetryable(error))) {
        throw codedPostgresError(why, pool.isExhausted());
      }
    }
    await sleep(Math.random() * 5 * 2 ** Math.min(attempt, 6));
  }
}
