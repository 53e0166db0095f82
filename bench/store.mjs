import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureApart } from './apart.mjs';
import { fillLog } from './store-fill.mjs';

const child = fileURLToPath(new URL('store-child.mjs', import.meta.url));
const rows = 1_000_000;

/** Transactions and jobs on both engines, and queries of a log with a million rows. */
export async function storeRates({ directory }, timing) {
  const row = (name, task, target = directory, isPeer = false) => ({
    name,
    command: [process.execPath, child, ...task.split(' '), target],
    isPeer,
  });
  // PostgreSQL is provided by the user; without it, these rows are left out, which is reported.
  const dsn = process.env.INNSIGLI_BENCH_PG_DSN ?? 'not given';
  const on = (engine, task) => row(`${engine}, ${task}`, `${engine} ${task}`);
  const onServer = (task) => row(`PostgreSQL, ${task}`, `PostgreSQL ${task}`, dsn, true);
  const transactions = [
    row('raw limit, FULL', 'raw 1 write'),
    ...['1 write', '32 writes'].flatMap((task) => [
      on('FULL', task),
      on('NORMAL', task),
      onServer(task),
    ]),
  ];
  const jobs = [on('FULL', '20 jobs'), on('NORMAL', '20 jobs'), onServer('20 jobs')];
  const file = join(directory, 'bench-log.db');
  await fillLog(file, rows);
  const queries = ['newest page', 'page 100', 'page of a day', 'rare search', 'common search'];
  try {
    const log = queries.map((name) => row(name, `log ${name.replaceAll(' ', '-')}`, file));
    return [
      { title: 'store, transactions', rows: await measureApart(transactions, timing) },
      { title: 'store, jobs claimed and released', rows: await measureApart(jobs, timing) },
      { title: 'log of 1,000,000 rows, 100 processes', rows: await measureApart(log, timing) },
    ];
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  }
}
