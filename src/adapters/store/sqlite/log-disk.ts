import { closeSync, fdatasync, openSync } from 'node:fs';
import { InnsigliError } from '../../../base/errors.ts';
import { closed } from './sqlite-errors.ts';

/** Flushes the write-ahead log of an open database to disk. */
export interface LogDisk {
  /** Resolves when everything committed before is on disk. @throws store.unavailable */
  sync(): Promise<void>;
  /** The pending sync, if any. */
  underWay(): Promise<void> | undefined;
  /** @throws store.unavailable if a sync has failed, or after {@link close} */
  requireSound(): void;
  close(): void;
}

/**
 * Flushes the log at `path` on another thread, whereas SQLite would block the committing thread.
 *
 * After a failed sync, it is unknown which pages are on disk: the system considers all of them
 * written, and a second sync would succeed (https://wiki.postgresql.org/wiki/Fsync_Errors). Commits
 * after a missing page are lost with it, so the database is not used again until it is reopened.
 *
 * @param flush flushes a file to disk; replaced in tests
 */
export function openLogDisk(path: string, flush: typeof fdatasync = fdatasync): LogDisk {
  let file: number | undefined;
  let failure: InnsigliError | undefined;
  let running: Promise<void> | undefined;
  const flushed = () =>
    new Promise<void>((resolve, reject) => {
      // The file stays open: the system reports an error only to descriptors open at the time.
      file ??= openSync(path, 'r+');
      flush(file, (cause) => (cause === null ? resolve() : reject(cause)));
    });
  const sync = async () => {
    try {
      await flushed();
    } catch (cause) {
      const message = `the disk lost written data: ${path}`;
      const hint = 'check the disk, then restart the program';
      failure = new InnsigliError('store.unavailable', message, { hint, cause });
      throw failure;
    }
  };
  return {
    async sync() {
      const mine = sync();
      running = mine;
      try {
        await mine;
      } finally {
        if (running === mine) running = undefined;
      }
    },
    underWay: () => running,
    requireSound() {
      if (failure !== undefined) throw failure;
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
      failure ??= closed();
    },
  };
}
