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

/** `path` as it is without links; its last part need not be there. */
export function realSqlitePath(path: string): string {
  const real = attemptAny(() => realpathSync(path), onSystemCode('ENOENT'));
  return real ?? join(realpathSync(dirname(path)), basename(path));
}

/**
 * Makes the database file when there is none, and closes it and its companions to everybody but
 * their owner.
 *
 * A file that exists is never opened here: POSIX locks belong to the process, and closing any
 * descriptor of a file drops all of them. Another program would then take itself for the only
 * user, and delete the write-ahead log under the running one.
 *
 * @spec SQLite «How To Corrupt An SQLite Database File» §2.2
 * @returns which file it is, for {@link watchSqliteFile}
 * @throws store.replaced when only its companions are there
 * @throws an error of the file system
 */
export function prepareSqliteFile(path: string, mayMake: boolean): string | undefined {
  requireWhole(path);
  try {
    if (mayMake) closeSync(openSync(path, 'wx', 0o600));
    else accessSync(path, constants.W_OK);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    // SQLite would open it for reading, and refuse the first change much later.
    accessSync(path, constants.W_OK);
  }
  // SQLite gives new companions the mode of the file; those that are there keep theirs.
  for (const each of [path, `${path}-wal`, `${path}-shm`]) restrictToOwner(each);
  return identityOf(path);
}

/**
 * Refuses a database of which a part was taken away: SQLite deletes the log beside an empty file,
 * and makes another in the place of one that is missing, under those who have it open.
 */
function requireWhole(path: string): void {
  const [log, index] = [`${path}-wal`, `${path}-shm`];
  if (sizeOf(log) > 0 && sizeOf(path) <= 0) throw takenAway(path, log);
  // Others make the log first and delete it last; one of them may have just come or gone.
  if (sizeOf(log) < 0 && sizeOf(index) >= 0 && sizeOf(log) < 0) throw takenAway(log, index);
}

/** -1 of a file that is not there. */
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
  // Where somebody else owns it, `doctor` tells who may read it.
  attemptAny(() => chmodSync(path, mode & 0o700), onSystemCode('EPERM'));
}

/**
 * Gives a check that the database file, its write-ahead log and the index of that are still those
 * that were opened. After one was moved, deleted or replaced, SQLite would go on writing into what
 * nobody can find any more.
 *
 * @param path without links: companions stand beside the file, not beside a link to it
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
