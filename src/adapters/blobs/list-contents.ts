import { link, opendir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Begin of the name of a file that is being written. */
export const TEMPORARY = '.new-';
/** Begin of the name of a content that is being removed; its digest and a dash follow. */
export const LEAVING = '.gone-';
/** A temporary file this old was left by a run that was killed. */
const LEFTOVER_MS = 3_600_000;

/**
 * Every content below `root` with its age. On the way, what runs that were killed had half written
 * is removed, and what they had half removed is put back: somebody may have stored it again.
 */
export async function* listContents(
  root: string,
): AsyncIterable<{ readonly sha256: string; readonly modifiedAtMs: number }> {
  for await (const first of names(root)) {
    const folder = join(root, first);
    if (isTemporary(first) && (await isLeftover(folder))) await rm(folder, { force: true });
    // Others may keep what they like here, such as the `lost+found` of a disk.
    if (!/^[0-9a-f]{2}$/.test(first)) continue;
    for await (const name of names(folder)) {
      const path = join(folder, name);
      if (isTemporary(name)) {
        if (await isLeftover(path)) await clear(folder, name).catch(() => undefined);
        continue;
      }
      const found = await stat(path).catch(() => undefined);
      const isContent = name.startsWith(first) && /^[0-9a-f]{64}$/.test(name);
      if (found?.isFile() !== true || !isContent) continue;
      yield { sha256: name, modifiedAtMs: found.mtimeMs };
    }
  }
}

/**
 * Removes what runs that were killed have left of a content that is gone under its own name; false
 * while another process may still be about to put it back.
 */
export async function clearLeavings(folder: string, sha256: string): Promise<boolean> {
  let isGone = true;
  for await (const name of names(folder)) {
    if (!name.startsWith(`${LEAVING}${sha256}-`)) continue;
    const path = join(folder, name);
    if (await isLeftover(path)) await rm(path, { force: true });
    else isGone = false;
  }
  return isGone;
}

// A rename leaves the time of the content as it is, and sets that of the entry.
async function isLeftover(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return false;
  const isLeaving = basename(path).startsWith(LEAVING);
  return Date.now() - (isLeaving ? found.ctimeMs : found.mtimeMs) > LEFTOVER_MS;
}

async function clear(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  const [, sha256] = /^\.gone-([0-9a-f]{64})-/.exec(name) ?? [];
  if (sha256 !== undefined) {
    await link(path, join(folder, sha256)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  await rm(path, { force: true });
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
