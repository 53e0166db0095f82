import { chmodSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attemptAny } from '../../base/errors.ts';
import { onSystemCode } from '../../base/os-errors.ts';

/** A path that other users may access. */
export interface OpenEntry {
  readonly path: string;
  /** Permission bits as found. */
  readonly mode: number;
}

/** Result of closing a folder to other users. */
export interface ClosedFolder {
  /** Entries that were accessible to other users before. */
  readonly closed: readonly OpenEntry[];
  /** Entries left unchanged: of another user, or on a file system without permission bits. */
  readonly left: readonly OpenEntry[];
  /** Link targets that other users may access; left unchanged. */
  readonly linked: readonly OpenEntry[];
}

/**
 * Removes the permissions of other users from a folder, then from its entries of the given names;
 * the owner's permissions are kept. The target of a link is examined but not changed, except that
 * of the folder itself: while the folder was open, other users could have placed links in it. No
 * file is opened, because closing a database file would release the locks of this process. Windows
 * has no permission bits.
 *
 * @param names paths below the folder, or prefixes of file names such as `innsigli.db*`
 */
export function closeFolder(folder: string, names: readonly string[]): ClosedFolder {
  const found: ClosedFolder & Record<'closed' | 'left', OpenEntry[]> = {
    closed: [],
    left: [],
    linked: [],
  };
  if (!isClosable(folder)) return found;
  // The folder first: from then on, no other user can replace an entry with a link.
  tighten(folder, found);
  const { own, linked } = entriesOf(folder, names);
  for (const path of own) tighten(path, found);
  return { ...found, linked: linked.flatMap(openEntry) };
}

/** Paths that other users may access: the folder, and the targets of its links of these names. */
export function findOpenFolders(folder: string, names: readonly string[]): readonly OpenEntry[] {
  if (!isClosable(folder)) return [];
  return [folder, ...entriesOf(folder, names).linked].flatMap(openEntry);
}

function isClosable(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && process.platform !== 'win32';
}

/** Real paths of the entries, separated into those in the folder and those elsewhere. */
function entriesOf(folder: string, names: readonly string[]) {
  const own = new Set<string>();
  const linked = new Set<string>();
  const top = realpathSync(folder);
  // Missing entries and dangling links are skipped.
  const unreached = onSystemCode('ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES');
  for (const path of names.flatMap((name) => matching(top, name))) {
    const real = attemptAny(() => realpathSync(path), unreached);
    if (real !== undefined) (real === path ? own : linked).add(real);
  }
  return { own: [...own], linked: [...linked] };
}

function matching(folder: string, name: string): readonly string[] {
  if (!name.endsWith('*')) return [join(folder, name)];
  const found = readdirSync(folder).filter((each) => each.startsWith(name.slice(0, -1)));
  return found.map((each) => join(folder, each));
}

/** The entry if other users may access it; empty otherwise. */
function openEntry(path: string): readonly OpenEntry[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true && stats?.isFile() !== true) return [];
  return (stats.mode & 0o077) === 0 ? [] : [{ path, mode: stats.mode & 0o777 }];
}

function tighten(path: string, found: Record<'closed' | 'left', OpenEntry[]>): void {
  for (const entry of openEntry(path)) (close(entry) ? found.closed : found.left).push(entry);
}

function close({ path, mode }: OpenEntry): boolean {
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    return false;
  }
  return openEntry(path).length === 0;
}
