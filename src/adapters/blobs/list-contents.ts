import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Begin of the name of a file that is being written. */
export const TEMPORARY = '.new-';
/** Begin of the name of a content that is being removed. */
export const LEAVING = '.gone-';
/** A temporary file this old was left by a run that was killed. */
const LEFTOVER_MS = 3_600_000;

/** Every content below `root` with its age; what killed runs left is removed on the way. */
export async function* listContents(
  root: string,
): AsyncIterable<{ readonly sha256: string; readonly modifiedAtMs: number }> {
  for await (const first of names(root)) {
    const folder = join(root, first);
    for await (const name of names(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) continue;
      if (/^[0-9a-f]{64}$/.test(name)) yield { sha256: name, modifiedAtMs: found.mtimeMs };
      else if (isTemporary(name) && Date.now() - found.mtimeMs > LEFTOVER_MS) {
        await rm(path, { force: true }).catch(() => undefined);
      }
    }
  }
}

function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY) || name.startsWith(LEAVING);
}

async function* names(folder: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
}
