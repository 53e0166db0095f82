import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  attemptAny,
  type ErrorCode,
  InnsigliError,
  isInnsigliError,
} from '../../../base/errors.ts';
import { systemCode } from '../../../base/os-errors.ts';

type Answer = readonly [pattern: RegExp, code: ErrorCode, message: string, hint: string];

const full: Answer = [
  /^(SQLITE_FULL|ENOSPC|EDQUOT)/,
  'store.full',
  'the disk is full; nothing was changed',
  'free some disk space and try again',
];
const readOnly: Answer = [
  /^(SQLITE_READONLY|SQLITE_PERM|EACCES|EPERM|EROFS)/,
  'store.readonly',
  'the database cannot be written',
  'check the permissions of the data directory, or choose a different one with --data-dir',
];
const answers: readonly Answer[] = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'store.busy',
    'the database is busy with other work',
    'try again in a moment',
  ],
  full,
  readOnly,
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'store.corrupt',
    'the database is damaged',
    'restore a backup; keep the damaged file to find the cause',
  ],
  [
    /^(SQLITE_(CANTOPEN|IOERR|AUTH|PROTOCOL|NOLFS|NOMEM)|E[A-Z0-9]+$)/,
    'store.unavailable',
    'the database cannot be opened or read',
    'check the disk and the data directory',
  ],
];

/** Minimum free space that SQLite needs to open a database: log index and one page of the log. */
const roomBytesMin = 64 * 1024;

/**
 * Converts an error of SQLite or of the file system to one of the registry; other errors are
 * returned unchanged.
 *
 * @param freeBytes returns the free space of a folder, in bytes
 */
export function codedSqliteError(
  error: unknown,
  path: string,
  freeBytes: (folder: string) => number = freeBytesIn,
): unknown {
  if (isInnsigliError(error)) return error;
  // Thrown by the driver, without a code.
  if (error instanceof TypeError && /connection is not open/.test(error.message)) return closed();
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code.startsWith('SQLITE_CANTOPEN') && !isWritable(dirname(path))) {
    return coded(readOnly, path, error);
  }
  // SQLite reports no cause if it cannot extend the log index.
  const isDisk = /^SQLITE_(IOERR|CANTOPEN)/.test(code);
  if (isDisk && freeBytes(dirname(path)) < roomBytesMin) return coded(full, path, error);
  const answer = answers.find(([pattern]) => pattern.test(code));
  if (answer !== undefined) return coded(answer, path, error);
  if (!code.startsWith('SQLITE_')) return error;
  const message = `the database refused a row: ${code}`;
  return new InnsigliError('internal.unexpected', message, { cause: error });
}

/** The error for using a database after it was closed. */
export function closed(): InnsigliError {
  const hint = 'reopen it: earlier handles refer to the closed database';
  return new InnsigliError('store.unavailable', 'the database was closed', { hint });
}

/** Whether another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return systemCode(error)?.startsWith('SQLITE_BUSY') === true;
}

function coded([, code, message, hint]: Answer, path: string, cause: unknown): InnsigliError {
  return new InnsigliError(code, `${message}: ${path}`, { hint, cause });
}

function freeBytesIn(folder: string): number {
  const found = attemptAny(() => statfsSync(folder));
  return found === undefined ? Number.POSITIVE_INFINITY : found.bavail * found.bsize;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}
