import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { concatBytes } from '../../base/bytes.ts';
import { attemptAny } from '../../base/errors.ts';

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Paths of descriptors passed by the shell, as with `<(…)` and redirections. */
const handedOver = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;
const linkHopsMax = 8;
/** Largest size that fits into one buffer on every machine, in bytes. */
const bytesMaxOfBuffer = 2 * 1024 * 1024 * 1024 - 1;

/** A file named by the user, open for reading. The caller closes it. */
export interface FileObject {
  readonly descriptor: number;
  readonly stats: Stats;
  /** Whether it is a pipe, which can be read only with {@link pipeChunks}. */
  readonly isPipe: boolean;
}

/**
 * Opens a regular file, a folder, or a pipe passed by the shell. Any other pipe, socket or device
 * may block or never end, so it is rejected without being opened.
 *
 * @throws the error of the system; EINVAL with {@link foundInstead} for anything else
 */
export function openNamed(path: string): FileObject {
  requireFile(path, statSync(path));
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    // The entry may have changed since it was examined.
    const stats = fstatSync(descriptor);
    return { descriptor, stats, isPipe: requireFile(path, stats) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The kind of entry found where a file was expected, from the error of {@link openNamed}. */
export function foundInstead(error: unknown): string | undefined {
  return error instanceof NoFileError ? error.found : undefined;
}

/**
 * The chunks of a pipe, until its end. The pipe is read by events, because a blocking read in a
 * thread would keep the process from exiting. It is closed afterwards.
 */
export async function* pipeChunks(descriptor: number): AsyncGenerator<Uint8Array> {
  const { Socket } = await import('node:net');
  yield* new Socket({ fd: descriptor, readable: true, writable: false });
}

/**
 * Reads a file named by the user, see {@link openNamed}.
 *
 * @throws the error of the system; EFBIG if it is longer than `bytesMax`, EISDIR for a folder
 */
export async function readNamed(path: string, bytesMax = bytesMaxOfBuffer): Promise<Uint8Array> {
  const { descriptor, stats, isPipe } = openNamed(path);
  if (isPipe) return readPipe(descriptor, bytesMax);
  try {
    if (stats.size > bytesMax) throw tooLong(path);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Like {@link readNamed}, but synchronous: a pipe passed by the shell is read to its end.
 *
 * @throws the error of the system, EISDIR for a folder
 */
export function readNamedNow(path: string): Uint8Array {
  const { descriptor, isPipe } = openNamed(path);
  try {
    return isPipe ? readFileSync(path) : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The whole content of a pipe. @throws the error of the system, EFBIG if it is longer */
export async function readPipe(descriptor: number, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of pipeChunks(descriptor)) {
    lengthBytes += chunk.length;
    if (lengthBytes > bytesMax) throw tooLong('the pipe');
    parts.push(chunk);
  }
  return concatBytes(parts);
}

class NoFileError extends Error {
  readonly code = 'EINVAL';

  readonly found: string;

  constructor(path: string, found: string) {
    super(`expected a regular file at ${path}, found ${found}`);
    this.found = found;
  }
}

/** True for a pipe that may be read, false for a file or folder. */
function requireFile(path: string, stats: Stats): boolean {
  if (stats.isFile() || stats.isDirectory()) return false;
  if (stats.isFIFO() && isHandedOver(path)) return true;
  const kind = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
  throw new NoFileError(path, kind);
}

function isHandedOver(path: string): boolean {
  let place = resolve(path);
  for (let hop = 0; hop < linkHopsMax; hop += 1) {
    if (handedOver.test(place)) return true;
    const next = attemptAny(() => readlinkSync(place));
    if (next === undefined) return false;
    place = resolve(dirname(place), next);
  }
  return false;
}

function tooLong(what: string): Error {
  return Object.assign(new Error(`${what} is too long`), { code: 'EFBIG' });
}
