import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { hexOf, scanBytes } from '../../base/bytes.ts';
import { attemptAny, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import { createFile, giveName, holdFolder, openPlace } from '../../wire/documents.ts';
import { type CliIo, isBrokenPipe } from '../io.ts';
import { type InputFile, identityOf } from './input.ts';
import { changedInput, existsError, type OutputPlan, outputError } from './output.ts';

/** Parts of a result. */
export interface ResultBytes {
  /** Number of input bytes with which it starts. */
  readonly keptBytes: number;
  /** The bytes that follow. */
  readonly tail: Uint8Array;
}

/** When a new directory entry is made durable: with the file, or by the caller, many at once. */
export type NameSync = 'at-once' | 'by-caller';

/**
 * Writes the preserved part of the input, followed by the tail. A file appears completely or not at
 * all: temporary file in the same folder, fsync, then a link that never replaces (or a rename if
 * replacing is allowed), then fsync of the folder. Nothing is opened through a link.
 *
 * @throws io.output.unwritable, io.link, io.input.changed, usage.output.exists
 */
export function writeOutput(
  plan: OutputPlan,
  input: InputFile,
  result: ResultBytes,
  io: CliIo,
  nameSync: NameSync = 'at-once',
): void {
  if (plan.kind === 'stdout') {
    writeStream(input, result, io);
    return;
  }
  try {
    if (plan.kind === 'device') writeDevice(plan.path, input, result);
    else writeFile(plan, input, result, io, nameSync);
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    if (systemCode(cause) === 'EEXIST') throw existsError(plan.name);
    throw outputError(plan.name, cause);
  }
}

/** Makes the entries of a folder durable. Where this is unsupported, the files still exist. */
export function syncFolder(path: string): void {
  attemptAny(() => {
    const folder = holdFolder({ root: path });
    folder.sync();
    folder.close();
  });
}

function writeFile(
  plan: OutputPlan,
  input: InputFile,
  result: ResultBytes,
  io: CliIo,
  nameSync: NameSync,
): void {
  const { folder, name } =
    plan.place === undefined
      ? { folder: holdFolder({ root: dirname(plan.path) }), name: basename(plan.path) }
      : openPlace(plan.place, true);
  try {
    const temporary = folder.at(`.${shortName(name)}.${hexOf(io.random(6))}.tmp`);
    const descriptor = openTemporary(temporary, plan.name, input);
    const forget = io.onStop(() => removeQuietly(temporary));
    try {
      fill(descriptor, plan, input, result);
      if (plan.kind === 'replace') requireReplaceable(folder.at(name), plan);
      giveName(temporary, folder.at(name), plan.kind === 'replace' ? 'replace' : 'new');
    } catch (cause) {
      removeQuietly(temporary);
      throw cause;
    } finally {
      forget();
    }
    if (nameSync === 'at-once') folder.sync();
  } finally {
    folder.close();
  }
}

/** The start of a name in at most 80 bytes: the limit is 255 bytes, whatever the characters. */
export function shortName(name: string): string {
  let end = 0;
  let lengthBytes = 0;
  for (const character of name) {
    lengthBytes += Buffer.byteLength(character);
    if (lengthBytes > 80) break;
    end += character.length;
  }
  return name.slice(0, end);
}

// An existing file of this name is not ours: it is neither written nor removed.
function openTemporary(path: string, name: string, input: InputFile): number {
  try {
    return createFile(path, modeOf(input));
  } catch (cause) {
    throw outputError(name, cause);
  }
}

/** A result is readable by no one who could not read the input; its owner may write to it. */
function modeOf({ mode = 0o644 }: InputFile): number {
  return (mode & 0o644) | 0o600;
}

function fill(
  descriptor: number,
  { kept }: OutputPlan,
  input: InputFile,
  { keptBytes, tail }: ResultBytes,
): void {
  try {
    copyInput(descriptor, input, keptBytes);
    writeAll(descriptor, tail, keptBytes);
    if (kept !== undefined) keep(descriptor, kept);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// Owner first: changing it clears special bits.
function keep(descriptor: number, { mode, uid, gid }: NonNullable<OutputPlan['kept']>): void {
  const stats = fstatSync(descriptor);
  if (stats.uid !== uid || stats.gid !== gid) fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode);
}

/** Rejects replacing a file that appeared meanwhile, or a link below a folder. */
function requireReplaceable(path: string, { kept, place, name }: OutputPlan): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (kept !== undefined && (stats === undefined || identityOf(stats) !== kept.identity)) {
    throw changedInput(name);
  }
  if (place === undefined || stats === undefined || stats.isFile()) return;
  throw new InnsigliError('io.link', `${name} is no longer a regular file`, {
    details: { path: name },
  });
}

function writeDevice(path: string, { source }: InputFile, { keptBytes, tail }: ResultBytes): void {
  const descriptor = openSync(path, 'w');
  try {
    scanBytes(source, 0, keptBytes, (piece) => writeAll(descriptor, piece));
    writeAll(descriptor, tail);
  } finally {
    closeSync(descriptor);
  }
}

function writeStream(
  { source, open }: InputFile,
  { keptBytes, tail }: ResultBytes,
  io: CliIo,
): void {
  open?.requireUnchanged();
  scanBytes(source, 0, keptBytes, (piece) => writePart(piece, io));
  writePart(tail, io);
}

/** Writes part of a document to stdout. @throws io.output.unwritable if its reader closed it */
export function writePart(part: string | Uint8Array, io: CliIo): void {
  try {
    io.stdout.write(part);
  } catch (cause) {
    if (!isBrokenPipe(cause)) throw cause;
    // A partial document is useless: the exit code must not report success.
    const message = 'stdout was closed before all output was written';
    throw new InnsigliError('io.output.unwritable', message, {
      cause,
      details: { output: 'stdout' },
    });
  }
}

/**
 * Lets the kernel copy a large file, sharing its blocks where the file system supports it, between
 * the open descriptors, whatever their names refer to by now.
 */
function copyInput(descriptor: number, input: InputFile, keptBytes: number): void {
  const { source, open } = input;
  const [from, to] = [open?.descriptor ?? -1, descriptor].map((each) => `/proc/self/fd/${each}`);
  const isWhole = keptBytes === source.lengthBytes;
  if (open === undefined || !isWhole || !canCopy(from) || to === undefined) {
    scanBytes(source, 0, keptBytes, (piece) => writeAll(descriptor, piece));
    open?.requireUnchanged();
    return;
  }
  const { mode } = fstatSync(descriptor);
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  // The copy also copied the permissions of the input.
  fchmodSync(descriptor, mode & 0o7777);
  open.requireUnchanged();
  if (fstatSync(descriptor).size === source.lengthBytes) return;
  throw new InnsigliError('io.input.changed', `${input.name} was changed while it was copied`);
}

function canCopy(path: string | undefined): path is string {
  return process.platform === 'linux' && path !== undefined && existsSync(path);
}

/** Writes all bytes from the current position, or from `start` on. */
function writeAll(descriptor: number, bytes: Uint8Array, start?: number): void {
  let offset = 0;
  while (offset < bytes.length) {
    const at = start === undefined ? null : start + offset;
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset, at);
  }
}

/** Removes a file, ignoring errors. */
export function removeQuietly(path: string): void {
  attemptAny(() => unlinkSync(path));
}
