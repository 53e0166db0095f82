import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY } from './names.ts';

/**
 * The time of the file system that holds `folder`, epoch milliseconds: that of a new file there.
 * Ages of files are measured by it, because clocks of hosts that share a disk differ.
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
