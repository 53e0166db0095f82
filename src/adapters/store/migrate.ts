import type { Kysely, Sql } from 'kysely';
import { InnsigliError } from '../../base/errors.ts';
import { type ColumnTypes, type Migration, migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

/** The schema version that this program creates and supports. */
export const schemaVersion = (migrations.at(-1) as Migration).version;

/**
 * Returns the version of the schema; 0 for an empty database.
 *
 * @throws store.schema.newer
 */
export async function readVersion(db: Kysely<Tables>, hasTable: boolean): Promise<number> {
  if (!hasTable) return 0;
  const query = db.selectFrom('schema_version').select((e) => e.fn.max('version').as('version'));
  const version = Number((await query.executeTakeFirst())?.version ?? 0);
  if (version <= schemaVersion) return version;
  const found = `expected at most version ${schemaVersion}, found ${version}`;
  const message = `the database was created by a newer version: ${found}`;
  throw new InnsigliError('store.schema.newer', message, {
    details: { expected: schemaVersion, found: version },
    hint: 'use the newer version, or restore a backup from before the update',
  });
}

/** Applies the migrations after `version`, within the transaction of the caller. */
export async function migrate(
  { db, sql }: { readonly db: Kysely<Tables>; readonly sql: Sql },
  types: ColumnTypes,
  version: number,
  nowMs: number,
): Promise<void> {
  if (version === 0) {
    const columns = `version ${types.big} NOT NULL PRIMARY KEY, applied_at ${types.big} NOT NULL`;
    await sql.raw(`CREATE TABLE IF NOT EXISTS schema_version (${columns})`).execute(db);
  }
  for (const step of migrations) {
    if (step.version <= version) continue;
    for (const statement of step.statements(types)) await sql.raw(statement).execute(db);
    const row = { version: step.version, applied_at: nowMs };
    await db.insertInto('schema_version').values(row).execute();
  }
}
