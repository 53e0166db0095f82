import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attemptAny, InnsigliError } from '../../../base/errors.ts';
import { onSystemCode, systemCode } from '../../../base/os-errors.ts';

/** Resolves the links in `path`, whose last component need not exist. */
export function realSqlitePath(path: string): string {
  const real = attemptAny(() => realpathSync(path), onSystemCode('ENOENT'));
  return real ?? join(realpathSync(dirname(path)), basename(path));
}

/**
 * Creates the database file if it does not exist, and restricts it and its companion files to their
 * owner.
 *
 * An existing file is never opened here: POSIX locks belong to the process, and closing any
 * descriptor of a file releases all of them. Another program would then assume that it is the only
 * user, and delete the write-ahead log while this one is running.
 *
 * @spec SQLite "How To Corrupt An SQLite Database File" §2.2
 * @returns the identity of the file, for {@link watchSqliteFile}
 * @throws store.replaced if only its companion files exist
 * @throws an error of the file system
 */
export function prepareSqliteFile(path: string, mayMake: boolean): string | undefined {
  requireWhole(path);
  try {
    if (mayMake) closeSync(openSync(path, 'wx', 0o600));
    else accessSync(path, constants.W_OK);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    // Otherwise SQLite would open it read-only, and reject the first change much later.
    accessSync(path, constants.W_OK);
  }
  // SQLite creates companion files with the mode of the database file; existing ones keep theirs.
  for (const each of [path, `${path}-wal`, `${path}-shm`]) restrictToOwner(each);
  return identityOf(path);
}

/**
 * Rejects an incomplete database: SQLite deletes the log of an empty file, and replaces a missing
 * file, while other processes have the old one open.
 */
function requireWhole(path: string): void {
  const [log, index] = [`${path}-wal`, `${path}-shm`];
  if (sizeOf(log) > 0 && sizeOf(path) <= 0) throw takenAway(path, log);
  // Other processes create the log first and delete it last, so one may just have started or ended.
  if (sizeOf(log) < 0 && sizeOf(index) >= 0 && sizeOf(log) < 0) throw takenAway(log, index);
}

/** Size in bytes, or -1 if the file does not exist. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}

function takenAway(expected: string, found: string): InnsigliError {
  return new InnsigliError('store.replaced', `expected ${expected}, found only ${found}`, {
    hint: `restore ${expected}; if ${found} belongs to a former database, move it away`,
  });
}

function restrictToOwner(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0 || process.platform === 'win32') return;
  // If another user owns the file, `doctor` reports who may read it.
  attemptAny(() => chmodSync(path, mode & 0o700), onSystemCode('EPERM'));
}

/**
 * Returns a check that the database file, its write-ahead log and the log index are still the files
 * that were opened. If one was moved, deleted or replaced, SQLite would continue to write to files
 * that can no longer be found.
 *
 * @param path without links, because companion files are next to the file itself
 * @param made the result of {@link prepareSqliteFile} before the file was opened
 */
export function watchSqliteFile(path: string, made: string | undefined): () => void {
  const files = [path, `${path}-wal`, `${path}-shm`];
  const opened = [made, ...files.slice(1).map(identityOf)];
  return () => {
    for (const [index, file] of files.entries()) {
      if (identityOf(file) === opened[index]) continue;
      const message = `expected the open database, found a different one: ${file}`;
      throw new InnsigliError('store.replaced', message, {
        hint: 'stop the program before moving or restoring the database, then restart it',
      });
    }
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
