import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreUnit } from '../../../app/ports/index.ts';
import { systemCode } from '../../../base/os-errors.ts';
import type { Session } from '../tables.ts';
import { openUnit } from '../unit.ts';
import type { SqliteConnection, SqliteScope } from './sqlite-connection.ts';
import { isBusy } from './sqlite-errors.ts';

/** Work inside a transaction. */
type Work<T> = (scope: SqliteScope) => Promise<T>;

/** The writes of a store, of which this process runs one after the other. */
export interface SqliteWriter extends Pick<Store, 'write' | 'writeLightly' | 'writeBeside'> {
  /** As {@link Store.writeLightly}, with the scope in place of the collections. */
  claim<T>(work: Work<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** A connection that commits only what others will find. */
export interface WritingConnection extends SqliteConnection {
  /** What collections need besides the queries of their transaction. */
  readonly session: Omit<Session, 'db' | 'execute'>;
  /** The error of the registry for one of SQLite. */
  coded(error: unknown): unknown;
  /** @throws store.replaced when the open file is no longer the one at its path */
  commit(): void;
  /** Resolves when the disk has what was committed. @throws store.unavailable */
  sync(): Promise<void>;
}

/** How a write waits for the disk: within its commit, behind it in another thread, or never. */
type Wait = 'within' | 'beside' | 'never';

interface Task {
  readonly work: Work<unknown>;
  readonly wait: Wait;
  readonly settle: (outcome: Outcome) => void;
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Waiting for another process ends here. */
const BUSY_TIMEOUT_MS = 5000;
const RETRY_AT_MOST_MS = 8;
/** Waiting for other writes of this process ends here. */
const QUEUE_TIMEOUT_MS = 30_000;
/** Writes that share one commit, and for how long they may hold up others. */
const SHARED_AT_MOST = 64;
const SHARED_MS = 25;
/** The value of SQLite's `synchronous` setting under which each commit waits for the disk. */
const FULL = 2;

/**
 * Writes that are asked for in one turn of the event loop, or wait at the same time, share one
 * transaction, each under a savepoint of its own, so that the disk is waited for once. No write
 * succeeds before the commit. When the shared transaction fails each write runs again alone.
 *
 * Waiting for other processes does not hold up this one: the lock is asked for again and again,
 * because SQLite itself would sleep with the whole process.
 */
export function openWriter(connection: WritingConnection): SqliteWriter {
  const queue: Task[] = [];
  const isFull = connection.raw.pragma('synchronous', { simple: true }) === FULL;
  // To set it costs as much as a row: where writes of one kind follow each other it is kept.
  let level = 'FULL';
  const setLevel = (next: 'FULL' | 'NORMAL') => {
    if (isFull && level !== next) connection.raw.pragma(`synchronous = ${next}`);
    level = next;
  };
  let running: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    // The first waits for the other requests that have come with its own: in their turn they would
    // find it committed alone.
    await setImmediate();
    while (queue.length > 0) {
      const tasks = queue.splice(0, SHARED_AT_MOST);
      const isWithin = tasks.some(({ wait }) => wait === 'within');
      setLevel(isWithin ? 'FULL' : 'NORMAL');
      // A commit that has waited for the disk has waited for all of its writes.
      const sync = isFull && !isWithin ? connection.sync : noSync;
      if (tasks.length === 1) await runAlone({ ...connection, sync }, tasks[0] as Task);
      else queue.unshift(...(await runTogether({ ...connection, sync }, tasks)));
      // All of this is synchronous underneath: without a pause timers and sockets would starve.
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
      // A write inside a write would wait for itself for ever.
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
    writeLightly: writing('never'),
    writeBeside: writing('beside'),
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

/** Tells the outcomes of what was committed when the disk has it. */
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

/** Gives back those for which there was no time. */
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
    // The lock of another process was waited for long enough.
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
      // A full or broken disk has undone everything, that of others too.
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
    // The end of a checkpoint takes a moment, another program longer.
    await sleep(1 + Math.random() * Math.min(tries, RETRY_AT_MOST_MS));
  }
}

function rollBack({ raw, bracket }: SqliteConnection): void {
  if (raw.inTransaction) bracket('ROLLBACK');
}
