import { link, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptAny } from '../../base/errors.ts';
import { onSystemCode } from '../../base/os-errors.ts';
import { folderNowMs } from './durable-files.ts';
import { isDigest, isTemporary, parseDeletionName } from './names.ts';

/** A temporary file older than this was left behind by a killed process. */
const LEFTOVER_MS = 3_600_000;

/**
 * Lists every blob below `root` with its age. On the way, half-written files of killed processes
 * are removed, and half-deleted blobs are restored: they may have been stored again in the
 * meantime.
 */
export async function* listContents(
  root: string,
): AsyncIterable<{ readonly sha256: string; readonly modifiedAtMs: number }> {
  const isLeftover = leftoverCheck(root);
  for await (const first of names(root)) {
    const folder = join(root, first);
    if (isTemporary(first) && (await isLeftover(root, first))) await rm(folder, { force: true });
    // Foreign entries are ignored, such as the `lost+found` of a disk.
    if (!/^[0-9a-f]{2}$/.test(first)) continue;
    for await (const name of names(folder)) {
      if (isTemporary(name)) {
        if (await isLeftover(folder, name)) await clear(folder, name).catch(() => undefined);
        continue;
      }
      const found = await stat(join(folder, name)).catch(() => undefined);
      const isContent = name.startsWith(first) && isDigest(name);
      if (found?.isFile() !== true || !isContent) continue;
      yield { sha256: name, modifiedAtMs: found.mtimeMs };
    }
  }
}

/** Returns the names of files that killed or running removals have renamed a blob to. */
export async function findDeletions(folder: string, sha256: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const name of names(folder)) {
    if (parseDeletionName(name)?.sha256 === sha256) found.push(name);
  }
  return found;
}

/**
 * Removes what killed removals have left of a blob that no longer exists under its own name.
 * Returns false if another process may still be about to restore it.
 */
export async function clearDeletions(folder: string, sha256: string): Promise<boolean> {
  const isLeftover = leftoverCheck(folder);
  let isGone = true;
  for (const name of await findDeletions(folder, sha256)) {
    if (await isLeftover(folder, name)) await rm(join(folder, name), { force: true });
    else isGone = false;
  }
  return isGone;
}

/**
 * Returns a check for files left behind by killed processes. On a disk that accepts no file, no age
 * can be determined, and nothing is removed.
 */
function leftoverCheck(place: string): (folder: string, name: string) => Promise<boolean> {
  let nowMs: number | undefined;
  const now = () => {
    nowMs ??= attemptAny(() => folderNowMs(place)) ?? Number.NEGATIVE_INFINITY;
    return nowMs;
  };
  return async (folder, name) => {
    const deletion = parseDeletionName(name);
    if (deletion !== undefined) return now() - deletion.beganAtMs > LEFTOVER_MS;
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found !== undefined && now() - found.mtimeMs > LEFTOVER_MS;
  };
}

async function clear(folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  const deletion = parseDeletionName(name);
  if (deletion !== undefined) {
    await link(path, join(folder, deletion.sha256)).catch(onSystemCode('EEXIST'));
  }
  await rm(path, { force: true });
}

async function* names(folder: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name;
  } catch (error) {
    onSystemCode('ENOENT', 'ENOTDIR')(error);
  }
}
