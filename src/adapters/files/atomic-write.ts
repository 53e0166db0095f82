import {
  closeSync,
  fsync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { attemptAny } from '../../base/errors.ts';
import { onSystemCode } from '../../base/os-errors.ts';
import { createFile } from './own-files.ts';

/**
 * Content up to this size is read and written synchronously, because passing it to another thread
 * costs more than copying it from or to the page cache. Operations that wait for the disk are never
 * synchronous.
 */
export const SMALL_BYTES = 256 * 1024;

/** Options for writing a file. */
export interface AtomicWriteOptions {
  /** Unused path in the same folder, to which the content is written first. */
  readonly temporary: string;
  /** Treatment of an existing file of this name. Default: `replaced`. */
  readonly existing?: 'replaced' | 'kept';
  /** Permission bits of the file. Default: 0600. */
  readonly mode?: number;
  /** Flushing of the folder, which some file systems do not support. Default: `required`. */
  readonly folderSync?: 'required' | 'where-possible';
}

const sync = promisify(fsync);
const writeAside = promisify(writeFile) as (file: number, content: Uint8Array) => Promise<void>;

/**
 * Writes a file atomically and durably, without following a link.
 *
 * @throws the error of the system
 */
export async function writeAtomically(
  path: string,
  content: Uint8Array,
  { temporary, existing, mode, folderSync }: AtomicWriteOptions,
): Promise<void> {
  try {
    await writeNewFile(temporary, content, mode);
    if (existing === 'kept') nameOnce(temporary, path);
    else renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  const flushing = syncFolder(dirname(path));
  await (folderSync === 'where-possible' ? flushing.catch(() => undefined) : flushing);
}

/** Writes a new file; its content is durable, its name not yet. @throws the error of the system */
export async function writeNewFile(path: string, content: Uint8Array, mode = 0o600): Promise<void> {
  const file = createFile(path, mode);
  try {
    if (content.length <= SMALL_BYTES) writeFileSync(file, content);
    else await writeAside(file, content);
    await sync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the directory entries of a folder durable. @throws the error of the system */
export async function syncFolder(path: string): Promise<void> {
  // Folders cannot be opened on Windows, where rename and link are sufficiently durable.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    await sync(folder);
  } finally {
    closeSync(folder);
  }
}

// A hard link fails if the name exists, so the file appears complete and only once.
function nameOnce(temporary: string, path: string): void {
  attemptAny(() => linkSync(temporary, path), onSystemCode('EEXIST'));
  removeQuietly(temporary);
}

// Leftover files are removed later when the folder is swept.
function removeQuietly(path: string): void {
  attemptAny(() => rmSync(path, { force: true }));
}
