import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreUnit } from '../../../app/ports/index.ts';
import { systemCode } from '../../../base/os-errors.ts';
import type { Session } from '../tables.ts';
import { openUnit } from '../unit.ts';
import type { SqliteConnection, SqliteScope } from './sqlite-connection.ts';
import { isBusy } from './sqlite-errors.ts';

type Work<T> = (scope: SqliteScope) => Promise<T>;

/** Writes of a store, which this process runs one after another. */
export interface SqliteWriter extends Pick<Store, 'write' | 'writeRelaxed' | 'writeOverlapped'> {
  /** Like {@link Store.writeRelaxed}, but with the scope instead of the collections. */
  claim<T>(work: Work<T>): Promise<T>;
  /** Resolves when there is no pending write. */
  idle(): Promise<void>;
}

/** A connection that commits only to the file at its path. */
export interface WritingConnection extends SqliteConnection {
  /** Dependencies of collections besides the queries of their transaction. */
  readonly session: Omit<Session, 'db' | 'execute'>;
  /** Converts an error of SQLite to one of the registry. */
  coded(error: unknown): unknown;
  /** @throws store.replaced if the open file is no longer the one at its path */
  commit(): void;
  /** Resolves when everything committed is on disk. @throws store.unavailable */
  sync(): Promise<void>;
}

/** How a write waits for the disk: within its commit, after it on another thread, or never. */
type Wait = 'within' | 'beside' | 'never';

interface Task {
  readonly work: Work<unknown>;
  readonly wait: Wait;
  readonly settle: (outcome: Outcome) => void;
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Time limit for waiting for another process. */
const BUSY_TIMEOUT_MS = 5000;
const RETRY_AT_MOST_MS = 8;
/** Time limit for waiting for other writes of this process. */
const QUEUE_TIMEOUT_MS = 30_000;
/** Maximum number of writes that share a commit, and the time for which they may delay others. */
const SHARED_AT_MOST = 64;
const SHARED_MS = 25;
/** Value of SQLite's `synchronous` setting with which each commit waits for the disk. */
const FULL = 2;

/**
 * Creates the writer. Writes requested in one turn of the event loop, or queued at the same time,
 * share one transaction, each with its own savepoint, so that there is only one wait for the disk.
 * No write resolves before the commit. If the shared transaction fails, each write is repeated on
 * its own.
 *
 * Waiting for other processes does not block this one: the lock is polled, because SQLite itself
 * would block the whole process.
 */
export function openWriter(connection: WritingConnection): SqliteWriter {
  const queue: Task[] = [];
  const isFull = connection.raw.pragma('synchronous', { simple: true }) === FULL;
  // Changing the setting costs as much as writing a row, so it is kept between writes of one kind.
  let level = 'FULL';
  const setLevel = (next: 'FULL' | 'NORMAL') => {
    if (isFull && level !== next) connection.raw.pragma(`synchronous = ${next}`);
    level = next;
  };
  let running: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    // Lets other requests that arrived together with the first one join its commit.
    await setImmediate();
    while (queue.length > 0) {
      const tasks = queue.splice(0, SHARED_AT_MOST);
      const isWithin = tasks.some(({ wait }) => wait === 'within');
      setLevel(isWithin ? 'FULL' : 'NORMAL');
      // A commit that waits for the disk does so for all of its writes.
      const sync = isFull && !isWithin ? connection.sync : noSync;
      if (tasks.length === 1) await runAlone({ ...connection, sync }, tasks[0] as Task);
      else queue.unshift(...(await runTogether({ ...connection, sync }, tasks)));
      // Writes are synchronous underneath; without a pause they would starve timers and sockets.
      await setImmediate();
    }
    running = undefined;
  };
  const ask = <T>(work: Work<T>, wait: Wait) =>
    new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => {
        clearTimeout(timer);
        if (outcome.ok) resolve(outcome.value as T);
        else reject(connection.coded(outcome.error));
      };
      const task: Task = { work, wait, settle };
      // Without a time limit, a write nested in a write would wait for itself forever.
      const timer = setTimeout(() => {
        const place = queue.indexOf(task);
        if (place < 0) return;
        queue.splice(place, 1);
        const error = new Error('other writes of this process blocked it for too long');
        settle({ ok: false, error: Object.assign(error, { code: 'SQLITE_BUSY' }) });
      }, QUEUE_TIMEOUT_MS);
      queue.push(task);
      running ??= drain();
    });
  const writing =
    (wait: Wait) =>
    <T>(work: (unit: StoreUnit) => Promise<T>) =>
      ask(({ db, execute }) => work(openUnit({ ...connection.session, db, execute })), wait);
  return {
    write: writing('within'),
    writeRelaxed: writing('never'),
    writeOverlapped: writing('beside'),
    claim: (work) => ask(work, 'never'),
    async idle() {
      while (running !== undefined) await running;
    },
  };
}

const noSync = async () => {};

async function runAlone(connection: WritingConnection, task: Task): Promise<void> {
  try {
    await begin(connection);
    const outcome = await runWork(connection, task.work);
    if (outcome.ok) connection.commit();
    else rollBack(connection);
    await settleKept(connection, [task], [outcome]);
  } catch (error) {
    rollBack(connection);
    task.settle({ ok: false, error });
  }
}

/** Settles committed writes, if required once they are on disk. */
async function settleKept(
  { sync }: WritingConnection,
  tasks: readonly Task[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const waits = outcomes.some(({ ok }, index) => ok && tasks[index]?.wait === 'beside');
  const failure = waits ? await sync().then(noFailure, failureOf) : undefined;
  for (const [index, outcome] of outcomes.entries()) tasks[index]?.settle(failure ?? outcome);
}

const noFailure = () => undefined;
const failureOf = (error: unknown): Outcome => ({ ok: false, error });

/** Runs tasks in one transaction, and returns those for which there was no time. */
async function runTogether(
  connection: WritingConnection,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  try {
    await begin(connection);
    const outcomes = await underSavepoints(connection, tasks);
    connection.commit();
    await settleKept(connection, tasks, outcomes);
    return tasks.slice(outcomes.length);
  } catch (error) {
    rollBack(connection);
    // The time limit for the lock of another process has expired.
    if (isBusy(error)) for (const { settle } of tasks) settle({ ok: false, error });
    else for (const task of tasks) await runAlone(connection, task);
    return [];
  }
}

async function underSavepoints(
  connection: SqliteConnection,
  tasks: readonly Task[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const startedAt = performance.now();
  for (const { work } of tasks) {
    if (performance.now() - startedAt > SHARED_MS) break;
    connection.bracket('SAVEPOINT own');
    const outcome = await runWork(connection, work);
    if (!outcome.ok) {
      // A full or failing disk rolls back the whole transaction, including the other writes.
      if (systemCode(outcome.error)?.startsWith('SQLITE_') === true) throw outcome.error;
      connection.bracket('ROLLBACK TO own');
    }
    connection.bracket('RELEASE own');
    outcomes.push(outcome);
  }
  return outcomes;
}

async function runWork(connection: SqliteConnection, work: Work<unknown>): Promise<Outcome> {
  const scope = connection.scope();
  try {
    return { ok: true, value: await work(scope) };
  } catch (error) {
    return { ok: false, error };
  } finally {
    scope.close();
  }
}

async function begin({ bracket }: SqliteConnection): Promise<void> {
  const giveUpAt = performance.now() + BUSY_TIMEOUT_MS;
  for (let tries = 0; ; tries++) {
    try {
      bracket('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
    }
    // The end of a checkpoint is over soon; another program takes longer.
    await sleep(1 + Math.random() * Math.min(tries, RETRY_AT_MOST_MS));
  }
}

function rollBack({ raw, bracket }: SqliteConnection): void {
  if (raw.inTransaction) bracket('ROLLBACK');
}
