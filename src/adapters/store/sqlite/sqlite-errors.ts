import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { systemCode } from '../../../base/os-errors.ts';

interface Answer {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

const full: Answer = {
  code: 'store.full',
  message: 'the disk is full; nothing was changed',
  hint: 'free some disk space and try again',
};

/** The least that SQLite needs to open a database: its index of the log, and a page of the log. */
const roomBytesMin = 64 * 1024;

const answers: readonly (readonly [pattern: RegExp, answer: Answer])[] = [
  [
    /^SQLITE_(BUSY|LOCKED)/,
    {
      code: 'store.busy',
      message: 'the database is busy with other work',
      hint: 'try again in a moment',
    },
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, full],
  [
    /^(SQLITE_READONLY|SQLITE_PERM|EACCES|EPERM|EROFS)/,
    {
      code: 'store.readonly',
      message: 'the database cannot be written',
      hint: 'check the permissions of the data directory, or choose another with --data-dir',
    },
  ],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    {
      code: 'store.corrupt',
      message: 'the database is damaged',
      hint: 'restore a backup; keep the damaged file to find the cause',
    },
  ],
  [
    /^(SQLITE_(CANTOPEN|IOERR|AUTH|PROTOCOL|NOLFS|NOMEM)|E[A-Z0-9]+$)/,
    {
      code: 'store.unavailable',
      message: 'the database cannot be opened or read',
      hint: 'check the disk and the data directory',
    },
  ],
];

/**
 * The error of the registry for an error of SQLite or of the file system; other errors are
 * unchanged.
 *
 * @param freeBytes gives the room that is left in a folder, in bytes
 */
export function codedSqliteError(
  error: unknown,
  path: string,
  freeBytes: (folder: string) => number = freeBytesIn,
): unknown {
  if (isInnsigliError(error)) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code.startsWith('SQLITE_CANTOPEN') && !isWritable(dirname(path))) {
    return coded((answers[2] as (typeof answers)[number])[1], path, error);
  }
  // SQLite names no cause when it cannot make its index of the log longer.
  const isDisk = /^SQLITE_(IOERR|CANTOPEN)/.test(code);
  if (isDisk && freeBytes(dirname(path)) < roomBytesMin) return coded(full, path, error);
  const answer = answers.find(([pattern]) => pattern.test(code))?.[1];
  if (answer !== undefined) return coded(answer, path, error);
  if (!code.startsWith('SQLITE_')) return error;
  const message = `the database refused a row: ${code}`;
  return new InnsigliError('internal.unexpected', message, { cause: error });
}

/** True when another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_BUSY') === true;
}

/** The code of an error of SQLite or of the file system. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? systemCode(error) : undefined;
  return typeof code === 'string' ? code : undefined;
}

function coded({ code, message, hint }: Answer, path: string, cause: unknown): InnsigliError {
  return new InnsigliError(code, `${message}: ${path}`, { hint, cause });
}

function freeBytesIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}
