/** The store and its two engines. */
export { openPostgresStore, type PostgresStoreOptions } from './postgres/postgres-store.ts';
export { requireSqlite } from './sqlite/sqlite-connection.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
