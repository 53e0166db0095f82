import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { TEMPORARY } from './names.ts';

/**
 * Contents up to this size are read and written at once: handing them to another thread costs
 * more than the copy into or out of the cache of the system. What waits for the disk never does.
 */
export const SMALL_BYTES = 256 * 1024;

const sync = promisify(fsync);
const writeAside = promisify(writeFile) as (file: number, content: Uint8Array) => Promise<void>;

/**
 * Makes the folder `path` below `top` with those above it, durably.
 *
 * @param known folders that this program knows to be there and durable
 * @throws the error of the system
 */
export async function makeFolders(path: string, top: string, known: Set<string>): Promise<void> {
  if (known.has(path)) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Another program may have made one of them and not have come to flushing its name.
  for (let at = path; at !== top && !known.has(at); at = dirname(at)) {
    await syncFolder(dirname(at));
    known.add(at);
  }
}

/**
 * Writes a file that is there completely and durably or not at all.
 *
 * @throws the error of the system
 */
export async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      if (content.length <= SMALL_BYTES) writeFileSync(file, content);
      else await writeAside(file, content);
      await sync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable. @throws the error of the system */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its rename is durable enough without.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    await sync(folder);
  } finally {
    closeSync(folder);
  }
}
