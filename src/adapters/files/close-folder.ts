import { chmodSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attemptAny } from '../../base/errors.ts';
import { onSystemCode } from '../../base/os-errors.ts';

/** Access of other users to an entry of a folder, by path. */
export interface OpenEntry {
  readonly path: string;
  /** Permission bits as found. */
  readonly mode: number;
}

/** Result of closing a folder to other users. */
export interface ClosedFolder {
  /** Entries that others might use before. */
  readonly closed: readonly OpenEntry[];
  /** Entries that could not be changed: another user's, or on a file system without such bits. */
  readonly left: readonly OpenEntry[];
  /** Targets of links that other users may access; left unchanged. */
  readonly linked: readonly OpenEntry[];
}

/**
 * Takes the rights of others from a folder, then from its entries of these names: folders get mode
 * 0700, files 0600. The target of a link is examined and not changed, except the folder itself:
 * while it was open, others could put links into it. Nothing is opened: closing a database file
 * would drop the locks of this process. Windows has no such bits.
 *
 * @param names paths below the folder, and name beginnings of files such as `innsigli.db*`
 */
export function closeFolder(folder: string, names: readonly string[]): ClosedFolder {
  const found: ClosedFolder & Record<'closed' | 'left', OpenEntry[]> = {
    closed: [],
    left: [],
    linked: [],
  };
  if (!isClosable(folder)) return found;
  // The folder first: nobody can put a link into the place of an entry after that.
  tighten(folder, found);
  const { own, linked } = entriesOf(folder, names);
  for (const path of own) tighten(path, found);
  return { ...found, linked: linked.flatMap(openEntry) };
}

/**
 * Entries that other users may access: the folder, and the targets of its links with these names.
 */
export function findOpenFolders(folder: string, names: readonly string[]): readonly OpenEntry[] {
  if (!isClosable(folder)) return [];
  return [folder, ...entriesOf(folder, names).linked].flatMap(openEntry);
}

function isClosable(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && process.platform !== 'win32';
}

/** Real paths of the entries: those in the folder, and those elsewhere. */
function entriesOf(folder: string, names: readonly string[]) {
  const own = new Set<string>();
  const linked = new Set<string>();
  const top = realpathSync(folder);
  // What is absent and links that lead nowhere are left out.
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

/** The entry when others may use it; none when they may not. */
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
