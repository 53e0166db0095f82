import { fromJson, type Session, toJson } from './tables.ts';

type Cell<T> = undefined extends T ? Exclude<T, undefined> | null : T;

/** The columns of a value: null where a member has no value. */
export type CellsOf<Value, Names> = {
  readonly [Name in keyof Names & keyof Value as Names[Name] & string]: Cell<Value[Name]>;
};

/** What a row has to have for a value to be read from it. */
type Stored<Names> = { readonly [Column in Names[keyof Names] & string]: unknown };

/** How values of one kind lie in rows. */
export interface RowForm<Value, Names> {
  /** What lies in columns of its own. */
  cells(value: Value): CellsOf<Value, Names>;
  /** The cells, and the other members as JSON text in `data`. */
  row(value: Value): CellsOf<Value, Names> & { readonly data: string };
  /** The value of a row of which `data` is the text. */
  value(row: Stored<Names> & { readonly data: string }): Value;
  /** As {@link value}, where the members without a column come from elsewhere. */
  join(row: Stored<Names>, rest: object): Value;
}

/**
 * Rows for values whose members `names` lie in the columns that it says. Null stands for absent, as
 * a member without a value is left out.
 */
export function rowForm<Value extends object>() {
  return <const Names extends { readonly [Name in keyof Value]?: string }>(
    names: Names,
  ): RowForm<Value, Names> => {
    const columns = Object.entries(names) as [keyof Value, string][];
    const known = new Set<string>(Object.keys(names));
    const cells = (value: Value) => {
      const row: Record<string, unknown> = {};
      for (const [name, column] of columns) row[column] = value[name] ?? null;
      return row as CellsOf<Value, Names>;
    };
    const join = (row: Stored<Names>, rest: object) => {
      const value = rest as Record<keyof Value, unknown>;
      for (const [name, column] of columns) {
        const cell: unknown = row[column as keyof typeof row];
        if (cell !== null && cell !== undefined) value[name] = cell;
      }
      return rest as Value;
    };
    const row = (value: Value) => {
      const rest: Record<string, unknown> = {};
      for (const [name, member] of Object.entries(value)) if (!known.has(name)) rest[name] = member;
      return { ...cells(value), data: toJson(rest) };
    };
    return { cells, row, join, value: (found) => join(found, fromJson<object>(found.data)) };
  };
}

/**
 * The query so that other writers of its rows wait until this transaction ends. A write transaction
 * of SQLite has the whole database to itself.
 */
export function locking<Query extends { forUpdate(): Query }>(
  { engine }: Session,
  query: Query,
): Query {
  return engine === 'postgresql' ? query.forUpdate() : query;
}

/** The number of rows that the query removes. */
export async function countRemoved(query: {
  executeTakeFirst(): Promise<{ readonly numDeletedRows: bigint }>;
}): Promise<number> {
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
