import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { openPostgresStore, openSqliteStore } from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';
import type { TestServer } from '../../../support/postgres.ts';
import { addTestFlow, testNowMs, testVault } from '../../../support/store.ts';

/** The location of a store as text, so that it can be passed to a different OS process. */
export interface StorePlace {
  readonly engine: 'sqlite' | 'postgresql';
  /** Path or connection string. */
  readonly target: string;
}

/** A separate database for one test. */
export interface TestPlace extends StorePlace {
  remove(): Promise<void>;
}

/** Creates locations on one engine. */
export type NewPlace = () => Promise<TestPlace>;

/** Opens the store at a location; several calls open several connections. */
export function openStoreAt(
  { engine, target }: StorePlace,
  vault = testVault,
  leaseNow?: () => number,
): Promise<Store> {
  const common = { vault, now: () => testNowMs, ...(leaseNow && { leaseNow }) };
  return engine === 'sqlite'
    ? openSqliteStore({ ...common, path: target, durability: 'normal' })
    : openPostgresStore({ ...common, dsn: target, connections: 5 });
}

/** Rows as they are stored in the database. */
export async function rowsOf(
  { engine, target }: StorePlace,
  query: string,
): Promise<readonly object[]> {
  if (engine === 'sqlite') {
    const raw = new Database(target, { readonly: true });
    const rows = raw.prepare(query).all() as object[];
    raw.close();
    return rows;
  }
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  const { rows } = await client.query(query);
  await client.end();
  return rows;
}

/** Runs statements directly on the database. */
export async function execute({ engine, target }: StorePlace, statements: string): Promise<void> {
  if (engine === 'sqlite') {
    const raw = new Database(target);
    raw.exec(statements);
    raw.close();
    return;
  }
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  await client.query(statements);
  await client.end();
}

/** A folder in which a SQLite file can be created. */
export async function newSqlitePlace(): Promise<TestPlace> {
  const folder = newTemporaryFolder('sqlite');
  return {
    engine: 'sqlite',
    target: join(folder, 'innsigli.db'),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A new database of a server. */
export async function newPostgresPlace(server: TestServer): Promise<TestPlace> {
  return { engine: 'postgresql', target: await server.newDatabase(), remove: async () => {} };
}

/** Runs `work` with a store that has the company and flow of the tests. */
export async function withStore(
  newPlace: NewPlace,
  work: (store: Store, place: StorePlace) => Promise<void>,
  leaseNow?: () => number,
): Promise<void> {
  const place = await newPlace();
  const store = await openStoreAt(place, testVault, leaseNow);
  try {
    await store.write(addTestFlow);
    await work(store, place);
  } finally {
    await store.close();
    await place.remove();
  }
}

/** Runs `work` with a store whose lease clock the test sets. */
export async function withLeases(
  newPlace: NewPlace,
  work: (store: Store, clock: { ms: number }) => Promise<void>,
): Promise<void> {
  const clock = { ms: 10 };
  await withStore(
    newPlace,
    (store) => work(store, clock),
    () => clock.ms,
  );
}
