/** The store on its two engines. */
export {
  openPostgresStore,
  type PostgresStoreOptions,
} from './postgres/postgres-store.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
