// One contender of the store in a separate process: `node store-child.mjs ENGINE TASK… TARGET`.
// TARGET is a folder, the file with the log, or a connection string.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { openPostgresStore, openSqliteStore } from '../build/adapters/store/index.js';
import { serveRounds } from './apart.mjs';
import {
  addOwner,
  benchActivity,
  benchProcess,
  companyKey,
  startMs,
  vault,
} from './store-fill.mjs';

const words = process.argv.slice(2);
const [engine, target] = [words[0], words.at(-1)];
const task = words.slice(1, -1).join(' ');
const common = { vault, now: () => 1 };
let remove = async () => {};

async function openEmpty() {
  if (engine === 'PostgreSQL') return openSchema();
  const folder = mkdtempSync(join(target, 'store-'));
  remove = async () => rmSync(folder, { recursive: true, force: true });
  const durability = engine.toLowerCase();
  return openSqliteStore({ ...common, path: join(folder, 'bench.db'), durability });
}

async function openSchema() {
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  const name = `bench_${process.pid}`;
  await client.query(`CREATE SCHEMA ${name}`);
  const url = new URL(target);
  url.searchParams.set('options', `-c search_path=${name},public`);
  const dsn = url.href.replaceAll('+', '%20');
  const store = await openPostgresStore({ ...common, dsn, connections: 16 });
  remove = async () => {
    await store.close();
    await client.query(`DROP SCHEMA ${name} CASCADE`);
    await client.end();
  };
  return store;
}

/** Writes of one step of a process: its state, a log row and a job. */
async function step(store, number) {
  await store.write(async ({ processes, activity, jobs }) => {
    const found = await processes.lock(benchProcess(number).key);
    await processes.save({ ...found, rev: found.rev + 1 });
    await activity.append([{ row: benchActivity(found, found.rev), personal: [] }]);
    await jobs.put({ kind: 'expire', ref: found.key, runAtMs: 1e12 });
  });
}

/** Keeps `count` calls of `start(index)` running; each call of the result is one that has ended. */
function always(count, start) {
  let [ended, counted] = [0, 0];
  const waiting = [];
  const change = () => new Promise((resolve) => waiting.push(resolve));
  const changed = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const run = async (index) => {
    for (;;) {
      // Nothing must run between the rounds, when no results are consumed.
      while (ended - counted >= count) await change();
      await start(index);
      ended++;
      changed();
    }
  };
  for (let index = 1; index <= count; index++) void run(index);
  return async () => {
    while (counted === ended) await change();
    counted++;
    changed();
  };
}

const tasks = {
  async '1 write'() {
    if (engine === 'raw') return rawWrites();
    const store = await filled();
    return () => step(store, 1);
  },
  async '32 writes'() {
    const store = await filled();
    return always(32, (index) => step(store, index));
  },
  async '20 jobs'() {
    const store = await openEmpty();
    await store.write(async ({ jobs }) => {
      for (let index = 0; index < 2000; index++) {
        await jobs.put({ kind: 'message', ref: `job ${index}`, runAtMs: 1 });
      }
    });
    let nowMs = 1;
    let held = [];
    return async () => {
      if (held.length === 0) {
        const claim = {
          owner: 'bench',
          kinds: ['message'],
          nowMs: ++nowMs,
          leaseMs: 1e6,
          limit: 20,
        };
        held = [...(await store.claimJobs(claim))];
        const release = ({ kind, ref, owner }) =>
          store.write(({ jobs }) => jobs.release(kind, ref, owner, nowMs));
        await Promise.all(held.map(release));
      }
      held.pop();
    };
  },
  'newest-page': () => queryLog(() => ({ skip: 0 })),
  'page-100': () => queryLog(() => ({ skip: 10_000 })),
  'page-of-a-day': () =>
    queryLog((turn) => {
      const createdFromMs = startMs + (turn % 60) * 86_400_000;
      return { skip: 0, createdFromMs, createdToMs: createdFromMs + 86_400_000 };
    }),
  'rare-search': () => queryLog((turn) => ({ skip: 0, search: `signee ${5000 + (turn % 900)}` })),
  'common-search': () => queryLog(() => ({ skip: 0, search: '.PDF' })),
};

async function filled() {
  const store = await openEmpty();
  await store.write(async (unit) => {
    await addOwner(unit);
    for (let number = 1; number <= 32; number++) await unit.processes.add(benchProcess(number));
  });
  return store;
}

function rawWrites() {
  const folder = mkdtempSync(join(target, 'store-'));
  remove = async () => rmSync(folder, { recursive: true, force: true });
  const db = new Database(join(folder, 'bench.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = db.prepare('INSERT INTO t (text) VALUES (?)');
  const text = 'x'.repeat(1000);
  return () => insert.run(text);
}

async function queryLog(filterOf) {
  const store = await openSqliteStore({ ...common, path: target });
  let turn = 0;
  return () =>
    store.read(async ({ processes, activity }) => {
      const filter = { companyKey, take: 100, ...filterOf(turn++) };
      const keys = (await processes.list(filter)).map(({ key }) => key);
      const rows = await activity.rowsOf(keys);
      const personal = await activity.personalOf(keys);
      return [rows, personal];
    });
}

await serveRounds(await tasks[task]());
await remove();
process.exit();
