import { randomInt } from 'node:crypto';
import type { Compilable, CompiledQuery, Insertable, Kysely, QueryResult } from 'kysely';
import { attempt } from '../../base/errors.ts';
import { type Engine, fromJson, type Session, type Tables, toJson } from './tables.ts';

/** Placeholder in a query for a value that is supplied when it is run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Runs a prebuilt query with the given values. */
export type Prepared<Values, Row> = (session: Session, values: Values) => Promise<QueryResult<Row>>;

/**
 * Creates a query that is built and compiled once per engine, for queries that run several times
 * for each signing process and cost more to build than to run.
 *
 * @param build receives a placeholder for each value it reads, to be used in the query as is; the
 * text of the query must not depend on the values
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values, session: Session) => Compilable<Row>,
): Prepared<Values, Row> {
  const known = new Map<Engine, CompiledQuery<Row>>();
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  return (session, values) => {
    const { engine } = session;
    let query = known.get(engine);
    if (query === undefined) {
      query = build(session.db, slots, session).compile();
      known.set(engine, query);
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Slot ? values[each.name as keyof Values] : each,
    );
    return session.execute({ ...query, parameters });
  };
}

const inserts = new Map<string, Prepared<object, unknown>>();

/** Inserts a row. The statement is built once for each table and set of columns. */
export async function insertRow<Table extends keyof Tables>(
  session: Session,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<void> {
  const columns = Object.keys(row);
  const name = `${table} ${columns.join()}`;
  let insert = inserts.get(name);
  if (insert === undefined) {
    insert = prepared<typeof row, unknown>((db, values) => {
      const all = columns.map((column) => [column, values[column as keyof typeof row]]);
      return db.insertInto(table).values(Object.fromEntries(all));
    }) as Prepared<object, unknown>;
    inserts.set(name, insert);
  }
  await insert(session, row);
}

type Cell<T> = undefined extends T ? Exclude<T, undefined> | null : T;

/** Columns for the members of a value, null if a member is absent. */
type CellsOf<Value, Names> = {
  readonly [Name in keyof Names & keyof Value as Names[Name] & string]: Cell<Value[Name]>;
};

/** Columns that a row must have to read a value from it. */
type Stored<Names> = { readonly [Column in Names[keyof Names] & string]: unknown };

/** Mapping between values of one type and rows. */
export interface RowForm<Value, Names> {
  /** The values of the separate columns. */
  cells(value: Value): CellsOf<Value, Names>;
  /** The cells, with all other members as JSON text in `data`. */
  row(value: Value): CellsOf<Value, Names> & { readonly data: string };
  /** The value of a row whose remaining members are in `data`. */
  value(row: Stored<Names> & { readonly data: string }): Value;
  /** Like {@link value}, with members without a column supplied separately. */
  join(row: Stored<Names>, rest: object): Value;
}

/** A row form with the columns given for members in `names`. Null and undefined mean absent. */
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
 * Makes other writers of the query's rows wait until this transaction ends. A write transaction of
 * SQLite locks the whole database anyway.
 */
export function locking<Query extends { forUpdate(): Query }>(
  { engine }: Session,
  query: Query,
): Query {
  return engine === 'postgresql' ? query.forUpdate() : query;
}

/** The value of the first row of a query. */
export async function firstOf<Row, Value>(
  query: { executeTakeFirst(): Promise<Row | undefined> },
  read: (row: Row) => Value,
): Promise<Value | undefined> {
  const row = await query.executeTakeFirst();
  return row && read(row);
}

/** The value of the first row of a prebuilt query. */
export async function firstRow<Row, Value>(
  found: Promise<QueryResult<Row>>,
  read: (row: Row) => Value,
): Promise<Value | undefined> {
  const [row] = (await found).rows;
  return row && read(row);
}

/** The values of all rows of a query. */
export async function allOf<Row, Value>(
  query: { execute(): Promise<readonly Row[]> },
  read: (row: Row) => Value,
): Promise<Value[]> {
  return (await query.execute()).map((row) => read(row));
}

/** Runs a query without a result. */
export async function run(query: { execute(): Promise<unknown> }): Promise<void> {
  await query.execute();
}

type Changed = 'numInsertedOrUpdatedRows' | 'numUpdatedRows' | 'numDeletedRows';

/** The number of rows inserted, updated or deleted by a query. */
export async function countChanged(query: {
  executeTakeFirst(): Promise<{ readonly [name in Changed]?: bigint | undefined }>;
}): Promise<number> {
  const found = await query.executeTakeFirst();
  const { numInsertedOrUpdatedRows: added, numUpdatedRows, numDeletedRows } = found;
  return Number(added ?? numUpdatedRows ?? numDeletedRows ?? 0n);
}

/** Whether a query inserts, updates or deletes a row. */
export async function changes(query: Parameters<typeof countChanged>[0]): Promise<boolean> {
  return (await countChanged(query)) > 0;
}

/**
 * The result of `open`; undefined for a secret that cannot be decrypted. For lists: a damaged row
 * is shown without its unreadable part, and does not affect the other rows.
 */
export function findDecrypted<T>(open: () => T): T | undefined {
  return attempt(open, (error) => {
    if (error.code !== 'vault.invalid') throw error;
    return undefined;
  });
}

/** Largest id of the API, a signed 32-bit integer. */
const ID_MAX = 2 ** 31 - 1;
const FIRST_MAX = 2 ** 30;
const STEP_MAX = 2 ** 16;

/**
 * Inserts a row with an id that reveals nothing about other companies: the first id of a flow is
 * random, and each further one is larger by a random step, so that ids are in order of creation.
 *
 * @param insert inserts the row; returns false if the id exists
 */
export async function insertUnderFreshId(
  { db }: Session,
  table: 'webhook' | 'email_template',
  flowKey: string,
  insert: (id: number) => Promise<boolean>,
): Promise<number> {
  const query = db.selectFrom(table).select((e) => e.fn.max('id').as('last'));
  const row = await query.where('flow_key', '=', flowKey).executeTakeFirst();
  let id = nextId(Number(row?.last ?? 0));
  while (!(await insert(id))) id = nextId(id);
  return id;
}

function nextId(last: number): number {
  const isRoom = last > 0 && last <= ID_MAX - STEP_MAX;
  return isRoom ? last + randomInt(1, STEP_MAX) : randomInt(1, FIRST_MAX);
}
