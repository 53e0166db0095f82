import { closeSync, fdatasync, openSync } from 'node:fs';
import { InnsigliError } from '../../../base/errors.ts';
import { closed } from './sqlite-errors.ts';

/** The disk below the write-ahead log of an open database. */
export interface LogDisk {
  /** Resolves when the disk has all that was committed before. @throws store.unavailable */
  sync(): Promise<void>;
  /** The sync under way, if there is one. */
  underWay(): Promise<void> | undefined;
  /** @throws store.unavailable once a sync has failed, or after {@link close} */
  requireSound(): void;
  close(): void;
}

/**
 * The disk below the log at `path`. Another thread waits for it, while SQLite would hold up the one
 * that commits.
 *
 * After a sync that failed nobody knows which pages the disk has: the system takes all for written,
 * and a second one would succeed (https://wiki.postgresql.org/wiki/Fsync_Errors). What is committed
 * behind a page that is missing is lost with it, so the database is left until it is opened anew.
 *
 * @param flush writes a file to the disk; tests have their own
 */
export function openLogDisk(path: string, flush: typeof fdatasync = fdatasync): LogDisk {
  let file: number | undefined;
  let failure: InnsigliError | undefined;
  let running: Promise<void> | undefined;
  const flushed = () =>
    new Promise<void>((resolve, reject) => {
      // It stays open: the system tells of an error whoever had the file open at the time.
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
