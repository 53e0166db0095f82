import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import { syncFolder } from '../files/index.ts';
import { TEMPORARY } from './names.ts';

/**
 * Creates the folder `path` below `top` and its missing parents, durably.
 *
 * @param known folders that this process has already found to exist and to be durable
 * @throws the error of the system
 */
export async function makeFolders(path: string, top: string, known: Set<string>): Promise<void> {
  if (known.has(path)) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Another process may have created one of them without having flushed its directory entry yet.
  for (let at = path; at !== top && !known.has(at); at = dirname(at)) {
    await syncFolder(dirname(at));
    known.add(at);
  }
}

/** Returns a temporary name in the folder of `path` for a file that is being written. */
export function asideOf(path: string): string {
  return join(dirname(path), `${TEMPORARY}${randomUUID()}`);
}

/**
 * The current time of the file system of `folder` in epoch milliseconds, taken from a new file
 * there. File ages are measured against it because the clocks of hosts that share a disk differ.
 *
 * @throws the error of the system
 */
export function folderNowMs(folder: string): number {
  const path = join(folder, `${TEMPORARY}${randomUUID()}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    return fstatSync(file).mtimeMs;
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

/** Converts an error of the file system to an error with a code of the registry. */
export function codedFileError(error: unknown, folder: string): unknown {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const context = { hint: 'free some disk space and try again', cause: error };
    return new InnsigliError('store.full', `no space for a document in ${folder}`, context);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const context = { hint: 'check the permissions of the data directory', cause: error };
    return new InnsigliError('store.readonly', `cannot write documents to ${folder}`, context);
  }
  const context = { hint: 'check the disk and the data directory', cause: error };
  const message = `cannot use the documents folder ${folder}`;
  return new InnsigliError('store.unavailable', message, context);
}

/** One block of the usual size. */
const PROBE_BYTES = 4096;

/**
 * Writes, flushes and removes a small file in the folder of the blobs, and returns the free space
 * there in bytes.
 *
 * @throws store.full, store.readonly, store.unavailable
 */
export async function probeFolder(folder: string): Promise<{ readonly freeBytes: number }> {
  const root = join(folder, 'objects');
  const path = join(root, `${TEMPORARY}${randomUUID()}`);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    try {
      await file.write(new Uint8Array(PROBE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    const { bavail, bsize } = await statfs(root);
    return { freeBytes: bavail * bsize };
  } catch (error) {
    throw codedFileError(error, folder);
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}
