import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import type { Store, StoreHealth, StoreUnit, Vault } from '../../../app/ports/index.ts';
import { migrate, readVersion, schemaVersion } from '../migrate.ts';
import type { ColumnTypes } from '../migrations.ts';
import { claimDueJobs, hasDueJobs } from '../rows/outbox/jobs.ts';
import type { Session, Tables } from '../tables.ts';
import { openUnit } from '../unit.ts';
import { requireLocalDisk } from './local-disk.ts';
import { openLogDisk } from './log-disk.ts';
import {
  connect,
  loadSqlite,
  type SqliteConnection,
  type SqliteModules,
  type SqliteScope,
} from './sqlite-connection.ts';
import { codedSqliteError } from './sqlite-errors.ts';
import { prepareSqliteFile, realSqlitePath, watchSqliteFile } from './sqlite-file.ts';
import { openReaders } from './sqlite-readers.ts';
import { openWriter } from './sqlite-writer.ts';

/** Options of {@link openSqliteStore}. */
export interface SqliteStoreOptions {
  /** The database file. It and its folder are created if they do not exist. */
  readonly path: string;
  readonly vault: Vault;
  /** Epoch milliseconds, recorded with each migration. */
  readonly now: () => number;
  /**
   * Lease time in milliseconds, for tests. Default: the monotonic clock of the system, which all
   * processes share, which cannot be set, and which stops while the system is suspended.
   */
  readonly leaseNow?: () => number;
  /**
   * `full` (default): committed transactions survive a power failure. `normal`: only the most
   * recent commits may be lost then; for tests and benchmarks.
   */
  readonly durability?: 'full' | 'normal';
  /** Whether a missing file is an error, `store.unavailable`. */
  readonly mustExist?: boolean;
  /** Maximum size of the file; a write that exceeds it fails with `store.full`. */
  readonly maxSizeBytes?: number;
}

const BUSY_TIMEOUT_MS = 5000;
/**
 * Length of the log in pages at which a commit itself performs a checkpoint, unless a job has done
 * so before ({@link Store.checkpoint}).
 */
const LOG_PAGES_MAX = 8000;
/** Length of the log in pages from which a checkpoint completes it, so that it restarts. */
const LOG_PAGES_FULL = 2000;
const PASSIVE_ROUNDS = 3;

const types: ColumnTypes = {
  key: 'TEXT',
  big: 'INTEGER',
  blob: 'BLOB',
  counter: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  explicitIds: () => [],
  clustered: 'WITHOUT ROWID',
  member: (name) => `json_extract(data, '$.${name}')`,
  json: (column) => column,
  elements: 'json_each',
  searchIndex: [
    `CREATE VIRTUAL TABLE process_fts USING fts5 (text, content = 'process_search',
      content_rowid = 'id', detail = 'none', tokenize = 'trigram case_sensitive 1')`,
    `INSERT INTO process_fts (process_fts, rank) VALUES ('secure-delete', 1)`,
    `CREATE TRIGGER process_search_added AFTER INSERT ON process_search BEGIN
      INSERT INTO process_fts (rowid, text) VALUES (new.id, new.text); END`,
    `CREATE TRIGGER process_search_removed AFTER DELETE ON process_search BEGIN
      INSERT INTO process_fts (process_fts, rowid, text) VALUES ('delete', old.id, old.text); END`,
  ],
  tuning: [],
};

/**
 * Opens the store in a SQLite file, for one host and any number of processes on it.
 *
 * @throws store.driver.missing if better-sqlite3 is not installed or not usable
 * @throws store.network if the file is on a network file system
 * @throws store.schema.newer, store.busy, store.full, store.readonly, store.corrupt,
 *   store.unavailable
 */
export async function openSqliteStore(given: SqliteStoreOptions): Promise<Store> {
  // First, because without the driver nothing should be created.
  const modules = await loadSqlite();
  let { path } = given;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    path = realSqlitePath(path);
    const options = { ...given, path };
    await requireLocalDisk(dirname(path));
    const made = prepareSqliteFile(path, given.mustExist !== true);
    const writing = openFile(options, modules, false);
    try {
      await bringUpToDate(writing, modules, options);
    } catch (error) {
      writing.raw.close();
      throw error;
    }
    return storeOver(options, modules, writing, watchSqliteFile(path, made));
  } catch (error) {
    throw codedSqliteError(error, path);
  }
}

function openFile(
  { path, durability, maxSizeBytes }: SqliteStoreOptions,
  modules: SqliteModules,
  isReader: boolean,
): SqliteConnection {
  // The file exists. If it has gone since, it must not be created next to the log of another.
  const how = { timeout: BUSY_TIMEOUT_MS, readonly: isReader, fileMustExist: true };
  const raw = new modules.Database(path, how);
  try {
    if (!isReader) {
      raw.pragma('journal_mode = WAL');
      raw.pragma(`wal_autocheckpoint = ${LOG_PAGES_MAX}`);
    }
    raw.pragma(`synchronous = ${durability === 'normal' ? 'NORMAL' : 'FULL'}`);
    raw.pragma('foreign_keys = ON');
    // Deleted values are overwritten in the file.
    if (!isReader) raw.pragma('secure_delete = ON');
    raw.pragma('cache_size = -16000');
    if (maxSizeBytes !== undefined) {
      const pageSize = raw.pragma('page_size', { simple: true }) as number;
      raw.pragma(`max_page_count = ${Math.max(1, Math.floor(maxSizeBytes / pageSize))}`);
    }
  } catch (error) {
    raw.close();
    throw error;
  }
  return connect(raw, modules);
}

async function bringUpToDate(
  writing: SqliteConnection,
  { kysely }: SqliteModules,
  { now }: SqliteStoreOptions,
): Promise<void> {
  const { raw } = writing;
  const scope = writing.scope();
  const versionNow = () => readVersion(scope.db, hasVersionTable(writing));
  try {
    const session = { db: scope.db, sql: kysely.sql };
    if ((await versionNow()) === schemaVersion) return;
    raw.exec('BEGIN IMMEDIATE');
    // Another process may have migrated the schema in the meantime.
    await migrate(session, types, await versionNow(), now());
    raw.exec('COMMIT');
  } finally {
    if (raw.inTransaction) raw.exec('ROLLBACK');
    scope.close();
  }
}

function hasVersionTable({ raw }: SqliteConnection): boolean {
  const query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'";
  return raw.prepare(query).get() !== undefined;
}

function storeOver(
  options: SqliteStoreOptions,
  modules: SqliteModules,
  writing: SqliteConnection,
  requireFile: () => void,
): Store {
  const { path, vault, leaseNow = () => Number(process.hrtime.bigint() / 1_000_000n) } = options;
  const disk = openLogDisk(`${path}-wal`);
  const requireOwnFile = () => {
    disk.requireSound();
    requireFile();
  };
  const { sql } = modules.kysely;
  const leaseTime = () => sql<number>`${Math.round(leaseNow())}`;
  const session = { sql, vault, engine: 'sqlite', leaseTime } as const;
  const sessionOf = ({ db, execute }: SqliteScope): Session => ({ ...session, db, execute });
  // From now on, the writer waits without blocking the process.
  writing.raw.pragma('busy_timeout = 0');
  const commit = () => {
    requireOwnFile();
    writing.bracket('COMMIT');
  };
  const codedError = (error: unknown) => codedSqliteError(error, path);
  const writer = openWriter({ ...writing, session, coded: codedError, commit, sync: disk.sync });
  const readers = openReaders(() => openFile(options, modules, true), requireOwnFile);
  const coded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw codedError(error);
    }
  };
  return {
    read: <T>(work: (unit: StoreUnit) => Promise<T>) =>
      coded(async () => {
        const found = await readers.read((scope) => work(openUnit(sessionOf(scope))));
        // The read may have seen commits that are not on disk yet.
        await disk.underWay();
        return found;
      }),
    write: writer.write,
    writeRelaxed: writer.writeRelaxed,
    writeInBackground: writer.writeInBackground,
    claimJobs: (claim) =>
      coded(async () => {
        if (!(await readers.read((scope) => hasDueJobs(sessionOf(scope), claim)))) return [];
        // A claim need not be durable: the power failure that loses it also ends the worker.
        return writer.claim((scope) => claimDueJobs(sessionOf(scope), claim));
      }),
    checkpoint: () =>
      coded(async () => {
        requireOwnFile();
        // Impossible in a transaction of this connection; a checkpoint is requested again later.
        if (!writing.raw.inTransaction) checkpoint(writing);
      }),
    health: () => coded(() => readers.read(({ db }) => healthOf(db, modules))),
    requireInPlace: requireOwnFile,
    close: () =>
      coded(async () => {
        await writer.idle();
        await readers.close();
        disk.close();
        writing.raw.close();
      }),
  };
}

/**
 * Transfers the log to the database. While others write, a log never restarts and only grows; so a
 * long one is completed, during which no one can write. The passive rounds leave little to do under
 * the lock: pages written since, and no wait for the disk if one round passed without a write. If a
 * write is in progress at the end, the next checkpoint completes the log.
 */
function checkpoint({ raw }: SqliteConnection): void {
  const passive = () => raw.pragma('wal_checkpoint(PASSIVE)') as [{ readonly log: number }];
  const [{ log }] = passive();
  if (log < LOG_PAGES_FULL) return;
  for (let round = 1; round < PASSIVE_ROUNDS; round++) passive();
  raw.pragma('wal_checkpoint(FULL)');
}

async function healthOf(db: Kysely<Tables>, { kysely }: SqliteModules): Promise<StoreHealth> {
  const { rows } = await kysely.sql<{ v: string }>`SELECT sqlite_version() AS v`.execute(db);
  return {
    engine: 'sqlite',
    schemaVersion: await readVersion(db, true),
    version: rows[0]?.v ?? '',
  };
}
