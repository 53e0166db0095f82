import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { basename, resolve } from 'node:path';
import { concatBytes } from '../../base/bytes.ts';
import { CoreError } from '../../base/errors.ts';
import type { CliIo } from '../io.ts';

/** A document read into memory. */
export interface InputFile {
  readonly bytes: Uint8Array;
  /** As the user wrote it; `-` for stdin. */
  readonly name: string;
  /** Absolute path; absent for stdin. */
  readonly path?: string;
  /** Permission bits of the file. */
  readonly mode?: number;
  /** Identity of the file on its device, however it is named. */
  readonly identity?: string;
}

/** Largest input, in bytes: what one buffer is read into. */
export const inputBytesMax = 2 * 1024 * 1024 * 1024 - 1;

const chunkBytes = 1024 * 1024;

/**
 * Reads a file, a pipe, or stdin when `name` is `-`.
 *
 * @throws io.input.notfound, io.input.unreadable, limit.exceeded, usage.input.required
 */
export async function readInput(name: string, io: CliIo): Promise<InputFile> {
  if (name !== '-') return readFile(name, resolve(io.cwd, name));
  if (io.stdin.isTerminal) {
    throw new CoreError('usage.input.required', 'expected a document on stdin, found a terminal', {
      hint: 'name a file, or pipe one in: innsigli … - < file.pdf',
    });
  }
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of io.stdin.chunks()) {
    lengthBytes += chunk.length;
    if (lengthBytes > inputBytesMax) throw tooLarge('stdin');
    parts.push(chunk);
  }
  return { bytes: parts.length === 1 && parts[0] ? parts[0] : concatBytes(parts), name };
}

/** `agreement.pdf` → `agreement.sealed.pdf`, in the same folder. */
export function siblingName(path: string, suffix: string): string {
  return /\.pdf$/i.test(basename(path))
    ? `${path.slice(0, -4)}.${suffix}${path.slice(-4)}`
    : `${path}.${suffix}.pdf`;
}

/** Identity of a file: the same for every hard link and symbolic link to it. */
export function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

function readFile(name: string, path: string): InputFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (cause) {
    throw inputError(name, cause);
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) {
      throw new CoreError('io.input.unreadable', `expected a file, found a folder: ${name}`, {
        details: { file: name },
      });
    }
    if (stats.size > inputBytesMax) throw tooLarge(name);
    const bytes = stats.isFile()
      ? readWhole(descriptor, stats.size)
      : readUntilEnd(descriptor, name);
    return { bytes, name, path, mode: stats.mode & 0o7777, identity: identityOf(stats) };
  } catch (cause) {
    throw cause instanceof CoreError ? cause : inputError(name, cause);
  } finally {
    closeSync(descriptor);
  }
}

// A file that shrinks while it is read gives what is there; the formats judge it.
function readWhole(descriptor: number, lengthBytes: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(lengthBytes);
  let offset = 0;
  while (offset < lengthBytes) {
    const count = readSync(descriptor, bytes, offset, lengthBytes - offset, offset);
    if (count === 0) break;
    offset += count;
  }
  return bytes.subarray(0, offset);
}

function readUntilEnd(descriptor: number, name: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(descriptor, chunk, 0, chunkBytes, null);
    if (count === 0) return concatBytes(parts);
    lengthBytes += count;
    if (lengthBytes > inputBytesMax) throw tooLarge(name);
    parts.push(chunk.subarray(0, count));
  }
}

function tooLarge(name: string): CoreError {
  const message = `${name}: expected at most 2 GiB, found more`;
  return new CoreError('limit.exceeded', message, { details: { maxBytes: inputBytesMax } });
}

function inputError(name: string, cause: unknown): CoreError {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  const details = { file: name, reason };
  if (reason === 'ENOENT' || reason === 'ENOTDIR') {
    return new CoreError('io.input.notfound', `no such file: ${name}`, { cause, details });
  }
  const why = reason === 'EACCES' ? 'permission denied' : reason;
  return new CoreError('io.input.unreadable', `${name} cannot be read: ${why}`, { cause, details });
}
