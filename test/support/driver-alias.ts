/**
 * The SQLite driver that the store uses on this Node version (docs/adr/0088), for imports of tests.
 */
export const driverAlias: Readonly<Record<string, string>> =
  Number(process.versions['napi']) < 10 ? {} : { 'better-sqlite3': 'better-sqlite3-napi' };
