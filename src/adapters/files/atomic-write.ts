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
 * Contents up to this size are read and written synchronously: handing them to another thread costs
 * more than the copy into or out of the cache of the system. Operations that wait for the disk
 * never are.
 */
export const SMALL_BYTES = 256 * 1024;

/** Options for writing a file. */
export interface AtomicWriteOptions {
  /** Path in the same folder that no file has: the content is written there first. */
  readonly temporary: string;
  /** Treatment of an existing file of this name; replaced if left out. */
  readonly existing?: 'replaced' | 'kept';
  /** 0600 when left out. */
  readonly mode?: number;
  /** Flushing of the folder, which some file systems refuse; required if left out. */
  readonly folderSync?: 'required' | 'where-possible';
}

const sync = promisify(fsync);
const writeAside = promisify(writeFile) as (file: number, content: Uint8Array) => Promise<void>;

/**
 * Writes a file that is there completely and durably or not at all, through no link.
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

/** Writes a file that was not there, durably but for its name. @throws the error of the system */
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

/** Makes the names in a folder durable. @throws the error of the system */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its rename and link are durable enough without.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    await sync(folder);
  } finally {
    closeSync(folder);
  }
}

// A hard link fails when the name is taken: the file appears whole, and only once.
function nameOnce(temporary: string, path: string): void {
  attemptAny(() => linkSync(temporary, path), onSystemCode('EEXIST'));
  removeQuietly(temporary);
}

// Files left over are removed later by the sweep of the folder.
function removeQuietly(path: string): void {
  attemptAny(() => rmSync(path, { force: true }));
}
