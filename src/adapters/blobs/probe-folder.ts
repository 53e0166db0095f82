import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { codedFileError } from './file-errors.ts';
import { TEMPORARY } from './names.ts';

/** A block of the usual size. */
const PROBE_BYTES = 4096;

/**
 * Writes, flushes and removes a small file where the contents of documents are, and gives the bytes
 * that are free there.
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
