import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What others may use of a folder, by path. */
export interface OpenEntry {
  readonly path: string;
  /** Permission bits as found. */
  readonly mode: number;
}

/** What was done so that a folder is for its owner only. */
export interface ClosedFolder {
  /** Entries that others might use before. */
  readonly closed: readonly OpenEntry[];
  /** Entries that could not be changed: another user's, or on a file system without such bits. */
  readonly left: readonly OpenEntry[];
}

/**
 * Takes the rights of others from a folder, then from its entries of these names: folders get mode
 * 0700, files 0600. Links are not followed, except the folder itself. Nothing is opened: closing a
 * database file would drop the locks of this process. Windows has no such bits.
 *
 * @param names paths below the folder, and name beginnings of files such as `innsigli.db*`
 */
export function closeFolder(folder: string, names: readonly string[]): ClosedFolder {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (process.platform === 'win32' || !isThere) return { closed: [], left: [] };
  const closed: OpenEntry[] = [];
  const left: OpenEntry[] = [];
  // The folder first: nobody can put a link into the place of an entry after that.
  for (const path of [folder, ...names.flatMap((name) => matching(folder, name))]) {
    const mode = modeOf(path, path === folder);
    if (mode === undefined || (mode & 0o077) === 0) continue;
    (close(path, mode, path === folder) ? closed : left).push({ path, mode: mode & 0o777 });
  }
  return { closed, left };
}

/** What others may use of a folder; nothing is changed. */
export function findOpenFolder(folder: string): OpenEntry | undefined {
  if (process.platform === 'win32') return undefined;
  const mode = modeOf(folder, true);
  return mode === undefined || (mode & 0o077) === 0
    ? undefined
    : { path: folder, mode: mode & 0o777 };
}

function matching(folder: string, name: string): readonly string[] {
  if (!name.endsWith('*')) return [join(folder, name)];
  const found = readdirSync(folder).filter((each) => each.startsWith(name.slice(0, -1)));
  return found.map((each) => join(folder, each));
}

/** Mode with the kind of the entry; undefined for none, and for links below the folder. */
function modeOf(path: string, follows: boolean): number | undefined {
  const stats = (follows ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true || stats?.isFile() === true ? stats.mode : undefined;
}

function close(path: string, mode: number, follows: boolean): boolean {
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    return false;
  }
  return ((modeOf(path, follows) ?? 0) & 0o077) === 0;
}
