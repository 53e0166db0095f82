import type { Compilable, CompiledQuery, Insertable, Kysely, QueryResult } from 'kysely';
import type { Engine, Session, Tables } from './tables.ts';

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
 * @param build gets a value for each name that it reads, to be put into the query as it is; what
 *   the query is must not depend on the values
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values, session: Session) => Compilable<Row>,
): Prepared<Values, Row> {
  const known = new Map<Engine, CompiledQuery<Row>>();
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  return (session, values) => {
    const { db, engine } = session;
    let query = known.get(engine);
    if (query === undefined) {
      query = build(db, slots, session).compile();
      known.set(engine, query);
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Slot ? values[each.name as keyof Values] : each,
    );
    return db.executeQuery({ ...query, parameters });
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
