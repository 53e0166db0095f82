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

/** Flags for opening that Windows does not have. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_CREAT, O_EXCL, O_RDWR, O_RDONLY, O_APPEND } = constants;

/**
 * Makes a file that was not there: neither a file of that name nor what a link of that name leads
 * to is opened. Gives its descriptor.
 *
 * @throws the error of the system, EEXIST when the name is taken
 */
export function createFile(path: string, mode: number): number {
  return openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
}

/** Mode of opening a file that other users may have put there. */
type FileUse = 'read' | 'append';

/**
 * Opens a regular file, without following a link and without waiting for a pipe; undefined when
 * there is none. Gives its descriptor.
 *
 * @param shown for messages
 * @throws io.link for a link
 * @throws the error of the system, EINVAL for what is no file
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
 * The text of a small file that may have been put there by others; undefined when there is none,
 * or what is there is a link, no file, longer, or not readable.
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
 * Gives a finished file its name, in one folder. A name that is new never replaces what came there
 * meanwhile; file systems without hard links get an exclusive empty file as the claim on it.
 *
 * @throws EEXIST when a new name is taken
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
 * Makes a file that replaces one of its name, which other names keep: links and other names of the
 * old file lead to what they led to. Devices and pipes are written to. Gives the descriptor.
 *
 * @throws io.link when the name is a link to a file or to nothing
 */
export function createAnew(path: string, mode: number): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return openDevice(path);
  if (found !== undefined && !found.isFile()) return openSync(path, 'w');
  if (found !== undefined) unlinkSync(path);
  return createFile(path, mode);
}

// As /dev/stderr, which is a link to what the shell has opened.
function openDevice(path: string): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_WRONLY | O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return descriptor;
  } catch {
    // A link to nothing is told like any other.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return refuseLink(path);
}

/** Writes a whole file that was opened for it, with these permissions, and makes it durable. */
export function fillFile(descriptor: number, bytes: Uint8Array, mode?: number): void {
  let offset = 0;
  while (offset < bytes.length) {
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset);
  }
  if (mode !== undefined) fchmodSync(descriptor, mode);
  fsyncSync(descriptor);
}

/**
 * Makes a folder and those above it. Node's own recursive way never returns where a file system
 * answers «no such entry» although the folder above is there, as /proc does.
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

/** A file below a folder, reached from there without following a link. */
export interface FilePlace {
  readonly root: FolderMark;
  /** Path below the root, with `/`. */
  readonly below: string;
}

/** The folder that a file stands in, and its name there. The caller closes the folder. */
interface OpenedPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/** Reaches the folder of a file. @throws io.link, the error of the system */
export function openPlace({ root, below }: FilePlace, make = false): OpenedPlace {
  const folder = holdFolder({ root, below: posix.dirname(below), make });
  return { folder, name: posix.basename(below) };
}

/**
 * The state of the entry at a place; undefined if there is none.
 *
 * @throws io.link when it is a link
 */
export function statPlaced(place: FilePlace): Stats | undefined {
  return within(place, (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) refuseLink(shownPath(place));
    return stats;
  });
}

/** Opens the regular file at a place for reading; undefined when there is none. @throws io.link */
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
