import { randomInt } from 'node:crypto';
import type { Compilable, CompiledQuery, Insertable, Kysely, QueryResult } from 'kysely';
import { attempt } from '../../base/errors.ts';
import { type Engine, fromJson, type Session, type Tables, toJson } from './tables.ts';

/** Stands in a query where a value comes when it is run. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Runs a query that was built before, with these values. */
export type Prepared<Values, Row> = (session: Session, values: Values) => Promise<QueryResult<Row>>;

/**
 * A query that is built and compiled once for each engine: for those that run several times for
 * every process, where building costs more than running.
 *
 * @param build gets a value for each name that it reads, to be put into the query as it is; the
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

/** Adds a row; the statement is built once for each table and set of columns. */
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

/** The columns of a value: null where a member has no value. */
type CellsOf<Value, Names> = {
  readonly [Name in keyof Names & keyof Value as Names[Name] & string]: Cell<Value[Name]>;
};

/** Columns that a row needs so that a value can be read from it. */
type Stored<Names> = { readonly [Column in Names[keyof Names] & string]: unknown };

/** Mapping between values of one kind and rows. */
export interface RowForm<Value, Names> {
  /** The values of the separate columns. */
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

/** The value of the first row that the query gives. */
export async function firstOf<Row, Value>(
  query: { executeTakeFirst(): Promise<Row | undefined> },
  read: (row: Row) => Value,
): Promise<Value | undefined> {
  const row = await query.executeTakeFirst();
  return row && read(row);
}

/** The value of the first row of a query that was built before. */
export async function firstRow<Row, Value>(
  found: Promise<QueryResult<Row>>,
  read: (row: Row) => Value,
): Promise<Value | undefined> {
  const [row] = (await found).rows;
  return row && read(row);
}

/** The values of all rows that the query gives. */
export async function allOf<Row, Value>(
  query: { execute(): Promise<readonly Row[]> },
  read: (row: Row) => Value,
): Promise<Value[]> {
  return (await query.execute()).map((row) => read(row));
}

/** Runs a query whose result is not needed. */
export async function run(query: { execute(): Promise<unknown> }): Promise<void> {
  await query.execute();
}

type Changed = 'numInsertedOrUpdatedRows' | 'numUpdatedRows' | 'numDeletedRows';

/** The number of rows that the query adds, changes or removes. */
export async function countChanged(query: {
  executeTakeFirst(): Promise<{ readonly [name in Changed]?: bigint | undefined }>;
}): Promise<number> {
  const found = await query.executeTakeFirst();
  const { numInsertedOrUpdatedRows: added, numUpdatedRows, numDeletedRows } = found;
  return Number(added ?? numUpdatedRows ?? numDeletedRows ?? 0n);
}

/** True when the query adds, changes or removes a row. */
export async function changes(query: Parameters<typeof countChanged>[0]): Promise<boolean> {
  return (await countChanged(query)) > 0;
}

/**
 * The result of `open`; undefined for a secret that cannot be decrypted. For lists: a damaged row
 * is shown without its unreadable part, and hides no other row.
 */
export function findDecrypted<T>(open: () => T): T | undefined {
  return attempt(open, (error) => {
    if (error.code !== 'vault.invalid') throw error;
    return undefined;
  });
}

/** Largest id of the interface, which has 32 bits with a sign. */
const ID_MAX = 2 ** 31 - 1;
const FIRST_MAX = 2 ** 30;
const STEP_MAX = 2 ** 16;

/**
 * Adds a row under an id that tells nothing of other companies: the first one of a flow is any, and
 * each next one is higher by any step, so that ids have the order in which they were given.
 *
 * @param insert adds it, unless the id is taken: false then
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
