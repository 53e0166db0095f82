import type { Database, Statement } from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Dialect, Kysely, QueryResult } from 'kysely';
import { InnsigliError } from '../../../base/errors.ts';
import type { Tables } from '../tables.ts';

/** The two packages, loaded on demand. */
export interface SqliteModules {
  readonly kysely: typeof import('kysely');
  readonly Database: typeof import('better-sqlite3');
}

/**
 * Loads the packages. The first call takes some tens of milliseconds.
 *
 * @param loadDriver replaced only in tests, as are the versions
 * @throws store.driver.missing; the driver is an optional package
 */
export async function loadSqlite(
  loadDriver = importDriver,
  versions = ownVersions,
): Promise<SqliteModules> {
  const driver = requireDriver(loadDriver, versions);
  const [kysely, Database] = await Promise.all([import('kysely'), driver]);
  return { kysely, Database };
}

/** Checks that SQLite is usable on this machine. @throws store.driver.missing */
export async function requireSqlite(): Promise<void> {
  await requireDriver(importDriver, ownVersions);
}

/** Major versions, in package.json as `better-sqlite3` and `better-sqlite3-napi`. */
type DriverVersion = 12 | 13;

type ImportDriver = (version: DriverVersion) => Promise<SqliteModules['Database']>;

/**
 * Versions of the driver that run on this Node, best first. Node 24.19 and later abort when
 * collecting objects of version 12; version 13 requires Node-API 10 (Node 22.14) and a C library of
 * 2021 or later.
 */
const ownVersions: readonly DriverVersion[] =
  Number(process.versions['napi']) < 10
    ? [12]
    : Number.parseInt(process.versions.node, 10) < 24
      ? [13, 12]
      : [13];

const importDriver: ImportDriver = async (version) => {
  const module = version === 13 ? import('better-sqlite3-napi') : import('better-sqlite3');
  return (await module).default;
};

async function requireDriver(
  loadDriver: ImportDriver,
  versions: readonly DriverVersion[],
): Promise<SqliteModules['Database']> {
  let cause: unknown;
  for (const version of versions) {
    try {
      const Database = await loadDriver(version);
      // The package may be installed without its native addon, or with one for a different Node
      // version, which is detected only when a database is opened.
      new Database(':memory:').close();
      return Database;
    } catch (error) {
      cause = error;
    }
  }
  const { version, platform, arch } = process;
  const place = `Node ${version} on ${platform}-${arch}`;
  const message = `expected better-sqlite3 with its native binary, found none for ${place}`;
  const hint =
    `repeat the installation ${remedyFor(versions, cause)}; or use PostgreSQL ` +
    '(INNSIGLI_DATABASE); sealing, archiving and verifying need no database';
  throw new InnsigliError('store.driver.missing', message, { hint, cause });
}

/** Version 13 includes its binaries and is never compiled; version 12 is downloaded or compiled. */
function remedyFor(versions: readonly DriverVersion[], cause: unknown): string {
  if (!versions.includes(12)) {
    return (
      '(npm ci) with its optional packages, on a system that better-sqlite3 has binaries for: ' +
      'Linux with a C library of 2021 or later, macOS, Windows'
    );
  }
  const later = versions.includes(13) ? '' : '; Node 22.14 or later needs neither';
  return (
    `(${repeatedBy(cause)}) with a compiler or the prebuilt binary of better-sqlite3${later}; ` +
    'without access to the internet npm_config_nodedir=/usr names the folder of the headers of Node'
  );
}

/** npm removes an optional package that failed to compile, so there may be nothing to rebuild. */
function repeatedBy(cause: unknown): string {
  const { code } = cause as { code?: unknown };
  const isAbsent = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
  return isAbsent ? 'npm ci' : 'npm rebuild better-sqlite3';
}

/** An open database file, which runs one transaction at a time. */
export interface SqliteConnection {
  readonly raw: Database;
  /** Runs a transaction control statement, cached: preparing it costs as much as finding a row. */
  bracket(text: `${'BEGIN' | 'COMMIT' | 'RELEASE' | 'ROLLBACK' | 'SAVEPOINT'}${string}`): void;
  /** Opens a scope for queries until {@link SqliteScope.close}; a later query is an error. */
  scope(): SqliteScope;
}

/** Queries of one transaction. */
export interface SqliteScope {
  readonly db: Kysely<Tables>;
  /** Runs a compiled query immediately. */
  execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  close(): void;
}

/** Maximum number of cached prepared statements; key lists of different lengths create many. */
const PREPARED_AT_MOST = 400;

/** Runs Kysely queries on an open database. The caller is responsible for begin and commit. */
export function connect(raw: Database, { kysely }: SqliteModules): SqliteConnection {
  const dialectOver = dialects(kysely);
  const prepared = new Map<string, Statement>();
  const statementOf = (text: string): Statement => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    if (prepared.size >= PREPARED_AT_MOST) prepared.clear();
    const statement = raw.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    raw,
    bracket: (text) => void statementOf(text).run(),
    scope() {
      let isOpen = true;
      const run = <Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> => {
        // The query would become part of another transaction.
        if (!isOpen) {
          const message = 'a query came after its transaction ended';
          throw new InnsigliError('internal.unexpected', message);
        }
        const statement = statementOf(sql);
        if (statement.reader) return { rows: statement.all(parameters) as Row[] };
        const { changes, lastInsertRowid } = statement.run(parameters);
        const insertId = BigInt(lastInsertRowid);
        return { numAffectedRows: BigInt(changes), insertId, rows: [] };
      };
      const execute = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => run(query);
      const connection: DatabaseConnection = {
        executeQuery: execute,
        streamQuery() {
          throw new InnsigliError('internal.unexpected', 'streams of rows are not used');
        },
      };
      return {
        db: new kysely.Kysely<Tables>({ dialect: dialectOver(connection) }),
        execute,
        close() {
          isOpen = false;
        },
      };
    },
  };
}

function dialects(kysely: SqliteModules['kysely']): (connection: DatabaseConnection) => Dialect {
  const nothing = async () => {};
  // A compiler is expensive to create and stateless between queries, so transactions share it.
  const compiler = new kysely.SqliteQueryCompiler();
  return (connection) => ({
    createAdapter: () => new kysely.SqliteAdapter(),
    createIntrospector: (db) => new kysely.SqliteIntrospector(db),
    createQueryCompiler: () => compiler,
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => connection,
      beginTransaction: nothing,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      releaseConnection: nothing,
      destroy: nothing,
    }),
  });
}
