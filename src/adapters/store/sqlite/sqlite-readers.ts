import { setImmediate } from 'node:timers/promises';
import type { Statement } from 'better-sqlite3';
import type { SqliteConnection, SqliteScope } from './sqlite-connection.ts';

/** Runs reads beside the writer, each in a view of its own that does not change. */
export interface SqliteReaders {
  read<T>(work: (scope: SqliteScope) => Promise<T>): Promise<T>;
  /** Waits for the reads under way. */
  close(): Promise<void>;
}

/** A file that is open for reading: to compile its brackets each time costs as much as to find. */
interface Reader {
  readonly connection: SqliteConnection;
  readonly begin: Statement;
  readonly end: Statement;
}

/** Files that are open for reading at the same time; further reads wait their turn. */
const OPEN_AT_MOST = 4;
const PAUSE_EVERY_MS = 10;

/**
 * Readers that open a file with `open` when all the others are in use.
 *
 * @param requireOwnFile throws when the open file is no longer the one at its path
 */
export function openReaders(
  open: () => SqliteConnection,
  requireOwnFile: () => void,
): SqliteReaders {
  const idle: Reader[] = [];
  const waiting: ((reader: Reader) => void)[] = [];
  const all = new Set<Reader>();
  const busy = new Set<Promise<unknown>>();
  let pausedAt = performance.now();

  const take = async (): Promise<Reader> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (all.size >= OPEN_AT_MOST) return new Promise((resolve) => waiting.push(resolve));
    const connection = open();
    // It may have been replaced just now: nothing is read from another.
    try {
      requireOwnFile();
    } catch (error) {
      connection.raw.close();
      throw error;
    }
    const { raw } = connection;
    const reader = { connection, begin: raw.prepare('BEGIN'), end: raw.prepare('ROLLBACK') };
    all.add(reader);
    return reader;
  };
  const giveBack = (reader: Reader): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(reader);
    else next(reader);
  };
  const readOnce = async <T>(work: (scope: SqliteScope) => Promise<T>): Promise<T> => {
    requireOwnFile();
    const reader = await take();
    const { connection, begin, end } = reader;
    const scope = connection.scope();
    try {
      begin.run();
      return await work(scope);
    } finally {
      scope.close();
      if (connection.raw.inTransaction) end.run();
      giveBack(reader);
      // Reading is synchronous underneath: a long row of reads would starve timers and sockets.
      if (performance.now() - pausedAt > PAUSE_EVERY_MS) {
        await setImmediate();
        pausedAt = performance.now();
      }
    }
  };
  return {
    read(work) {
      const reading = readOnce(work);
      busy.add(reading);
      const done = () => busy.delete(reading);
      reading.then(done, done);
      return reading;
    },
    async close() {
      while (busy.size > 0) await Promise.allSettled(busy);
      for (const { connection } of all) connection.raw.close();
      all.clear();
      idle.length = 0;
    },
  };
}
