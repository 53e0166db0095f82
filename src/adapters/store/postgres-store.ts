import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Store, StoreUnit, Vault } from '../../app/ports/index.ts';
import { claimDueJobs, hasDueJobs } from './jobs.ts';
import { migrate, readVersion, schemaVersion } from './migrate.ts';
import type { ColumnTypes } from './migrations.ts';
import { codedPostgresError, isRetryable } from './postgres-errors.ts';
import type { Session, Tables } from './tables.ts';
import { openUnit } from './unit.ts';

/** What {@link openPostgresStore} needs. */
export interface PostgresStoreOptions {
  /** Connection string, `postgres://…`. */
  readonly dsn: string;
  readonly vault: Vault;
  /** Epoch milliseconds; stands in the rows of migrations. */
  readonly now: () => number;
  /** Connections that this process opens at most; 10 unless told. */
  readonly connections?: number;
}

interface Opened {
  readonly db: Kysely<Tables>;
  readonly kysely: typeof import('kysely');
}

const CONNECT_TIMEOUT_MS = 5000;
const LOCK_TIMEOUT_MS = 5000;
/** A transaction that does nothing for so long was forgotten. */
const IDLE_TIMEOUT_MS = 60_000;
const TRIES = 12;
const INT8 = 20;
/** Any number, the same for all processes of this program. */
const MIGRATION_LOCK = 0x1_4e5f;

const types: ColumnTypes = {
  key: 'TEXT COLLATE "C"',
  big: 'BIGINT',
  blob: 'BYTEA',
  counter: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  clustered: '',
  member: (name) => `(data::json ->> '${name}')`,
  json: (column) => `${column}::json`,
  elements: 'json_array_elements',
  searchIndex: [
    // Where the extension may not be made, a search walks the list of the company.
    `DO $$ BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX process_search_text ON process_search USING gin (text gin_trgm_ops);
    EXCEPTION WHEN OTHERS THEN NULL; END $$`,
  ],
};

/**
 * The store in a PostgreSQL database, for any number of hosts.
 *
 * Writes run at READ COMMITTED: what a decision stands on is locked or guarded by `rev`. Reads see
 * one moment.
 *
 * @throws store.unavailable, store.schema.newer, store.busy, store.full, store.readonly
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const [kysely, { default: pg }] = await Promise.all([import('kysely'), import('pg')]);
  const pool = new pg.Pool({
    connectionString: options.dsn,
    max: options.connections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // Numbers here are times and counts, far below the limit of what a double holds exactly.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that breaks while nobody uses it is replaced; without this the process would end.
  pool.on('error', () => {});
  const db = new kysely.Kysely<Tables>({ dialect: new kysely.PostgresDialect({ pool }) });
  try {
    await bringUpToDate({ db, kysely }, options);
    return storeOver({ db, kysely }, pool, options.vault);
  } catch (error) {
    await db.destroy();
    throw codedPostgresError(error);
  }
}

async function bringUpToDate({ db, kysely }: Opened, options: PostgresStoreOptions): Promise<void> {
  const { sql } = kysely;
  const version = async (on: Kysely<Tables>) => {
    const { rows } = await sql<{ found: string | null }>`
      SELECT to_regclass('schema_version') AS found`.execute(on);
    return readVersion(on, rows[0]?.found !== null);
  };
  if ((await version(db)) === schemaVersion) return;
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    // Another process may have been faster.
    const found = await version(transaction);
    await migrate({ db: transaction, sql }, types, found, options.now());
  });
}

function storeOver({ db, kysely }: Opened, pool: Pool, vault: Vault): Store {
  const { sql } = kysely;
  const sessionOf = (on: Kysely<Tables>): Session => ({ db: on, sql, vault, engine: 'postgresql' });
  const reading = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => work(sessionOf(transaction)));
  const writing = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    db
      .transaction()
      .setIsolationLevel('read committed')
      .execute((transaction) => work(sessionOf(transaction)));
  const underWay = new Set<Promise<unknown>>();
  const retried = <T>(work: () => Promise<T>): Promise<T> => {
    const running = withRetries(work, pool);
    underWay.add(running);
    const done = () => underWay.delete(running);
    running.then(done, done);
    return running;
  };
  return {
    read: <T>(work: (unit: StoreUnit) => Promise<T>) =>
      retried(() => reading((session) => work(openUnit(session)))),
    write: <T>(work: (unit: StoreUnit) => Promise<T>) =>
      retried(() => writing((session) => work(openUnit(session)))),
    claimJobs: (claim) =>
      retried(async () => {
        if (!(await hasDueJobs(sessionOf(db), claim))) return [];
        return claimDueJobs(sessionOf(db), claim);
      }),
    health: () =>
      retried(async () => {
        const { rows } = await sql<{ server_version: string }>`SHOW server_version`.execute(db);
        const version = rows[0]?.server_version ?? '';
        return {
          engine: 'postgresql',
          schemaVersion: await readVersion(db, true),
          version,
        } as const;
      }),
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      if (!pool.ended && !pool.ending) await db.destroy();
    },
  };
}

/** The result of `work`, which runs again when the engine asks for it. */
async function withRetries<T>(work: () => Promise<T>, pool: Pool): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // Waiting for a connection of our own ends with the same words as waiting for the server.
      const isExhausted = pool.totalCount >= pool.options.max;
      if (!isRetryable(error) || attempt === TRIES) throw codedPostgresError(error, isExhausted);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, Math.random() * 5 * 2 ** Math.min(attempt, 6));
    });
  }
}
