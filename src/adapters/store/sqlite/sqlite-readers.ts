import { setImmediate as immediate } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { openUnderWay } from '../../../base/live/index.ts';
import type { SqliteConnection, SqliteScope } from './sqlite-connection.ts';

/** Runs reads concurrently with the writer, each in its own snapshot. */
export interface SqliteReaders {
  read<T>(work: (scope: SqliteScope) => Promise<T>): Promise<T>;
  /** Waits for pending reads. */
  close(): Promise<void>;
}

/** Maximum number of read connections; further reads are queued. */
const OPEN_AT_MOST = 4;
const PAUSE_EVERY_MS = 10;

/**
 * Creates readers, which open a further connection with `open` if all existing ones are in use.
 *
 * @param requireOwnFile throws if the open file is no longer the one at its path
 */
export function openReaders(
  open: () => SqliteConnection,
  requireOwnFile: () => void,
): SqliteReaders {
  const idle: SqliteConnection[] = [];
  const waiting: ((reader: SqliteConnection) => void)[] = [];
  const all = new Set<SqliteConnection>();
  const busy = openUnderWay();
  let pausedAt = performance.now();
  const requireFileOfTurn = onceATurn(requireOwnFile);

  const take = async (): Promise<SqliteConnection> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (all.size >= OPEN_AT_MOST) return new Promise((resolve) => waiting.push(resolve));
    const reader = open();
    // The file may just have been replaced, and a different one must not be read.
    try {
      requireOwnFile();
    } catch (error) {
      reader.raw.close();
      throw error;
    }
    all.add(reader);
    return reader;
  };
  const giveBack = (reader: SqliteConnection): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(reader);
    else next(reader);
  };
  const readOnce = async <T>(work: (scope: SqliteScope) => Promise<T>): Promise<T> => {
    requireFileOfTurn();
    const reader = await take();
    const scope = reader.scope();
    try {
      reader.bracket('BEGIN');
      return await work(scope);
    } finally {
      scope.close();
      if (reader.raw.inTransaction) reader.bracket('ROLLBACK');
      giveBack(reader);
      // Reads are synchronous underneath; a long series of them would starve timers and sockets.
      if (performance.now() - pausedAt > PAUSE_EVERY_MS) {
        await setImmediate();
        pausedAt = performance.now();
      }
    }
  };
  return {
    read: (work) => busy.add(readOnce(work)),
    async close() {
      await busy.ended();
      for (const { raw } of all) raw.close();
      all.clear();
      idle.length = 0;
    },
  };
}

/** Runs `check` once per turn of the event loop, because it stats three files. */
function onceATurn(check: () => void): () => void {
  let isChecked = false;
  return () => {
    if (isChecked) return;
    check();
    isChecked = true;
    // Must not keep the process alive.
    immediate(() => {
      isChecked = false;
    }).unref();
  };
}
