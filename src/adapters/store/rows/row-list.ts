import type { Insertable, RawBuilder } from 'kysely';
import { prepared } from '../statements.ts';
import type { Session, Tables } from '../tables.ts';

/** Types of values in a row of a {@link rowList}. */
export type Cell = string | number | null;

/**
 * Rows for a statement, as a table with the columns column1, column2 and so on. All rows are passed
 * as one JSON parameter, so that the statement does not depend on their number and is prepared
 * once.
 *
 * @param types SQL types of the columns
 */
export function rowList(
  session: Session,
  rows: readonly (readonly Cell[])[],
  types: readonly ('TEXT' | 'BIGINT')[],
): RawBuilder<unknown> {
  return rowListOf(session, JSON.stringify(rows), types);
}

function rowListOf(
  { sql, engine }: Session,
  text: string,
  types: readonly ('TEXT' | 'BIGINT')[],
): RawBuilder<unknown> {
  const cells = types.map((type, at) => {
    const [place, name] = [sql.raw(String(at)), sql.raw(`column${at + 1}`)];
    return sql`CAST(value ->> ${place} AS ${sql.raw(type)}) AS ${name}`;
  });
  const each =
    engine === 'sqlite' ? sql`json_each(${text})` : sql`json_array_elements(CAST(${text} AS json))`;
  return sql`(SELECT ${sql.join(cells)} FROM ${each})`;
}

/** Returns a function that inserts rows of `columns` into a table. The statement is built once. */
export function rowInsert<Table extends keyof Tables>(
  table: Table,
  columns: { readonly [name in keyof Tables[Table]]: 'TEXT' | 'BIGINT' },
): (session: Session, rows: readonly Insertable<Tables[Table]>[]) => Promise<void> {
  const names = Object.keys(columns) as (keyof Tables[Table] & string)[];
  const types = Object.values<'TEXT' | 'BIGINT'>(columns);
  const insert = prepared((db, { text }: { readonly text: string }, session) => {
    const { sql } = session;
    const list = rowListOf(session, text, types);
    const from = types.map((_, at) => sql.raw(`column${at + 1}`));
    // Without a condition, SQLite would parse the ON CONFLICT clause as part of a join.
    const into = sql.join(names.map((name) => sql.ref(name)));
    const query = sql`INSERT INTO ${sql.table(table)} (${into})
      SELECT ${sql.join(from)} FROM ${list} AS v WHERE true`;
    return { compile: () => query.compile(db) };
  });
  return async (session, rows) => {
    if (rows.length === 0) return;
    const cells = rows.map((row) => names.map((name) => row[name as keyof typeof row]));
    await insert(session, { text: JSON.stringify(cells) });
  };
}

/** Keys as an operand of `IN`; see {@link rowList}. */
export function keyList(session: Session, keys: readonly string[]): RawBuilder<string> {
  const rows = keys.map((key) => [key]);
  return rowList(session, rows, ['TEXT']) as RawBuilder<string>;
}
