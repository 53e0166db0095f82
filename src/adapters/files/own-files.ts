import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, posix } from 'node:path';
import { attemptAny } from '../../base/errors.ts';
import { onSystemCode, systemCode } from '../../base/os-errors.ts';
import { type FolderMark, type HeldFolder, holdFolder, refuseLink } from './held-folder.ts';

/** Open flags, 0 where they do not exist, as on Windows. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_CREAT, O_EXCL, O_RDWR, O_RDONLY, O_APPEND } = constants;

/**
 * Creates a file and returns its descriptor. An existing file of that name, or the target of a link
 * of that name, is not opened.
 *
 * @throws the error of the system, EEXIST if the name exists
 */
export function createFile(path: string, mode: number): number {
  return openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}

/** Mode in which to open a file that other users may have placed there. */
type FileUse = 'read' | 'append';

/**
 * Opens a regular file, without following a link or blocking on a pipe, and returns its descriptor;
 * undefined if there is none.
 *
 * @param shown path for messages
 * @throws io.link for a link
 * @throws the error of the system, EINVAL for anything but a regular file
 */
export function openFound(path: string, use: FileUse, shown = path): number | undefined {
  const flags = use === 'append' ? O_RDWR | O_APPEND : O_RDONLY;
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') refuseLink(shown);
    throw error;
  }
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${shown} is not a regular file`), { code: 'EINVAL' });
}

/**
 * Reads the text of a small file that other users may have placed there. Undefined if it does not
 * exist, is a link or not a regular file, is longer, or is unreadable.
 */
export function readFound(path: string, maxBytes: number): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openFound(path, 'read');
    if (descriptor === undefined) return undefined;
    const bytes = Buffer.alloc(maxBytes + 1);
    const count = readSync(descriptor, bytes, 0, bytes.length, 0);
    return count > maxBytes ? undefined : bytes.toString('utf8', 0, count);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Gives a finished file its final name in the same folder. With `new`, a file created there in the
 * meantime is never replaced; on file systems without hard links, an exclusively created empty file
 * reserves the name.
 *
 * @throws EEXIST if a new name exists
 */
export function giveName(temporary: string, path: string, way: 'new' | 'replace'): void {
  if (way === 'replace') {
    renameSync(temporary, path);
    return;
  }
  try {
    linkSync(temporary, path);
  } catch (cause) {
    const reason = systemCode(cause) ?? '';
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(reason)) throw cause;
    closeSync(createFile(path, 0o600));
    renameSync(temporary, path);
    return;
  }
  unlinkSync(temporary);
}

/**
 * Creates a file, replacing an existing one of that name, and returns its descriptor. Other hard
 * links to the old file are left unchanged. Devices and pipes are opened for writing.
 *
 * @throws io.link if the name is a link to a file, or a dangling link
 */
export function createAnew(path: string, mode: number): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return openDevice(path);
  if (found !== undefined && !found.isFile()) return openSync(path, 'w');
  if (found !== undefined) unlinkSync(path);
  return createFile(path, mode);
}

// For example /dev/stderr, which is a link to a descriptor opened by the shell.
function openDevice(path: string): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_WRONLY | O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return descriptor;
  } catch {
    // A dangling link is reported like any other.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return refuseLink(path);
}

/** Writes the whole content of a newly opened file, sets the mode if given, and flushes it. */
export function fillFile(descriptor: number, bytes: Uint8Array, mode?: number): void {
  let offset = 0;
  while (offset < bytes.length) {
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset);
  }
  if (mode !== undefined) fchmodSync(descriptor, mode);
  fsyncSync(descriptor);
}

/**
 * Creates a folder and its missing parents. The recursive mode of Node never returns if a file
 * system reports ENOENT although the parent exists, as /proc does.
 *
 * @throws the error of the system
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    makeFolders(above, mode);
    makeFolders(path, mode);
  }
}

/** A file below a root folder, reached without following links. */
export interface FilePlace {
  readonly root: FolderMark;
  /** Path below the root, with `/`. */
  readonly below: string;
}

/** The opened folder of a file, and the file's name in it. The caller closes the folder. */
interface OpenedPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/** Opens the folder of a file. @throws io.link, the error of the system */
export function openPlace({ root, below }: FilePlace, make = false): OpenedPlace {
  const folder = holdFolder({ root, below: posix.dirname(below), make });
  return { folder, name: posix.basename(below) };
}

/**
 * The stats of an entry; undefined if there is none.
 *
 * @throws io.link if it is a link
 */
export function statPlaced(place: FilePlace): Stats | undefined {
  return within(place, (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) refuseLink(shownPath(place));
    return stats;
  });
}

/** Opens a regular file for reading; undefined if there is none. @throws io.link */
export function openPlaced(place: FilePlace): number | undefined {
  return within(place, (path) => openFound(path, 'read', shownPath(place)));
}

function within<T>(place: FilePlace, work: (path: string) => T): T | undefined {
  const opened = attemptAny(() => openPlace(place), onSystemCode('ENOENT'));
  if (opened === undefined) return undefined;
  try {
    return work(opened.folder.at(opened.name));
  } finally {
    opened.folder.close();
  }
}

function shownPath({ root, below }: FilePlace): string {
  return `${root.path}/${below}`;
}
