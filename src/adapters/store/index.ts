/** The store on its two engines. */
export {
  defaultPostgresLimits,
  openPostgresStore,
  type PostgresStoreOptions,
} from './postgres-store.ts';
export { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
