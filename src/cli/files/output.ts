import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hexOf, scanBytes } from '../../base/bytes.ts';
import { CoreError, isCoreError } from '../../base/errors.ts';
import { BrokenPipe, type CliIo } from '../io.ts';
import { type InputFile, identityOf } from './input.ts';

/** Where a result goes. */
export interface OutputPlan {
  /** As the user wrote it; `-` for stdout. */
  readonly name: string;
  readonly kind: 'stdout' | 'new-file' | 'replace' | 'device';
  /** Absolute path with links followed; empty for stdout. */
  readonly path: string;
  /** Permission bits to keep; absent: 0644 less the umask. */
  readonly mode?: number;
}

/** What the user allows. */
export interface OutputOptions {
  /** An existing file may be replaced. */
  readonly force: boolean;
  /** The input itself is the output. */
  readonly inPlace?: boolean;
  /** What else a user can do about an output that exists. */
  readonly existsHint?: string;
}

/**
 * Decides and checks the output before any work is done, so that no time-stamp is spent on a
 * result that could not be written.
 *
 * @throws usage.output.same, usage.output.exists, usage.output.terminal, io.output.unwritable
 */
export function planOutput(
  name: string,
  input: InputFile,
  options: OutputOptions,
  io: CliIo,
): OutputPlan {
  if (name === '-') {
    if (io.stdout.isTerminal) {
      throw new CoreError('usage.output.terminal', 'a document would go to the terminal', {
        hint: 'name a file with -o, or redirect: … -o - > result',
      });
    }
    return { name, kind: 'stdout', path: '' };
  }
  const path = resolve(io.cwd, name);
  const stats = statOf(path, name);
  if (stats === undefined) return planNew(name, path, options);
  if (stats.isDirectory()) {
    throw new CoreError('io.output.unwritable', `expected a file, found a folder: ${name}`, {
      hint: `name the file: -o ${join(name, 'sealed.pdf')}`,
    });
  }
  if (!stats.isFile()) return { name, kind: 'device', path };
  requireWritable(dirname(realpathSync(path)), name);
  if (options.inPlace) return { name, kind: 'replace', path: realpathSync(path), ...modeOf(input) };
  if (identityOf(stats) === input.identity) {
    throw new CoreError('usage.output.same', `the output ${name} is the input itself`, {
      details: { input: input.name, output: name },
      hint: 'choose another name with -o; seal --in-place replaces the input',
    });
  }
  if (!options.force) throw existsError(name, options.existsHint);
  return { name, kind: 'replace', path: realpathSync(path) };
}

/** What a result consists of. */
export interface ResultBytes {
  /** Bytes of the input that it begins with. */
  readonly keptBytes: number;
  /** What follows them. */
  readonly tail: Uint8Array;
}

/** When a new name becomes durable: with the file, or later by the caller, for many at once. */
export type NameSync = 'at-once' | 'by-caller';

/**
 * Writes what is kept of the input and, behind it, the tail. A file appears whole or not at all:
 * temporary file in the same folder, fsync, then a link that never replaces (or a rename when
 * replacing is allowed), then fsync of the folder.
 *
 * @throws io.output.unwritable, usage.output.exists
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
    else {
      writeFile(plan, input, result, io);
      if (nameSync === 'at-once') syncFolder(dirname(plan.path));
    }
  } catch (cause) {
    if (isCoreError(cause)) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw existsError(plan.name);
    throw outputError(plan.name, cause);
  }
}

function planNew(name: string, path: string, options: OutputOptions): OutputPlan {
  const folder = dirname(path);
  const stats = statOf(folder, name);
  if (!stats?.isDirectory()) {
    throw new CoreError('io.output.unwritable', `the folder of the output is missing: ${name}`, {
      details: { folder },
      hint: 'make the folder first',
    });
  }
  requireWritable(folder, name);
  // A link that leads nowhere: stat does not see it, but the name is taken.
  const taken = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (taken && !options.force) throw existsError(name, options.existsHint);
  return { name, kind: taken ? 'replace' : 'new-file', path };
}

function writeFile(plan: OutputPlan, input: InputFile, result: ResultBytes, io: CliIo): void {
  const folder = dirname(plan.path);
  const temporary = join(folder, `.${basename(plan.path).slice(0, 80)}.${hexOf(io.random(6))}.tmp`);
  const descriptor = openTemporary(temporary, plan.name);
  const forget = io.onStop(() => removeQuietly(temporary));
  try {
    try {
      copyInput(descriptor, temporary, input, result.keptBytes);
      writeAll(descriptor, result.tail, result.keptBytes);
      if (plan.mode !== undefined) fchmodSync(descriptor, plan.mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (plan.kind === 'replace') renameSync(temporary, plan.path);
    else moveNew(temporary, plan.path);
  } catch (cause) {
    removeQuietly(temporary);
    throw cause;
  } finally {
    forget();
  }
}

// Exclusive: a file that has this name by chance is not ours, neither to write nor to remove.
function openTemporary(path: string, name: string): number {
  try {
    return openSync(path, 'wx', 0o644);
  } catch (cause) {
    throw outputError(name, cause);
  }
}

// rename() would replace a file that came meanwhile; link() never does. File systems without
// hard links get an exclusive empty file as the claim on the name.
function moveNew(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? '';
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(reason)) throw cause;
    closeSync(openSync(path, 'wx', 0o644));
    renameSync(temporary, path);
    return;
  }
  unlinkSync(temporary);
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
  try {
    scanBytes(source, 0, keptBytes, (piece) => io.stdout.write(piece));
    io.stdout.write(tail);
  } catch (cause) {
    if (!(cause instanceof BrokenPipe)) throw cause;
    // Half a document is none: who wants the exit code must not take it for success.
    const message = 'stdout was closed before all of it was written';
    throw new CoreError('io.output.unwritable', message, { cause, details: { output: 'stdout' } });
  }
}

/** A large file is copied by the system, which shares its blocks where the file system can. */
function copyInput(descriptor: number, path: string, input: InputFile, keptBytes: number): void {
  const { source } = input;
  const isWhole = keptBytes === source.lengthBytes;
  if (input.open === undefined || input.path === undefined || !isWhole) {
    scanBytes(source, 0, keptBytes, (piece) => writeAll(descriptor, piece));
    input.open?.requireUnchanged();
    return;
  }
  const { mode } = fstatSync(descriptor);
  copyFileSync(input.path, path, constants.COPYFILE_FICLONE);
  // The copy took the permissions of the input with it.
  fchmodSync(descriptor, mode & 0o7777);
  input.open.requireUnchanged();
  if (fstatSync(descriptor).size === source.lengthBytes) return;
  throw new CoreError('io.input.changed', `${input.name} was changed while it was copied`);
}

/** From the current position, or from `start` on. */
function writeAll(descriptor: number, bytes: Uint8Array, start?: number): void {
  let offset = 0;
  while (offset < bytes.length) {
    const at = start === undefined ? null : start + offset;
    offset += writeSync(descriptor, bytes, offset, bytes.length - offset, at);
  }
}

/** Makes the names in a folder durable. Some file systems refuse: the files are there. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    return;
  }
}

function requireWritable(folder: string, name: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw outputError(name, cause);
  }
}

function modeOf(input: InputFile): { mode?: number } {
  return input.mode === undefined ? {} : { mode: input.mode };
}

function statOf(path: string, name: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw outputError(name, cause);
  }
}

function existsError(
  name: string,
  hint = 'choose another name with -o, or allow replacing it with --force',
): CoreError {
  return new CoreError('usage.output.exists', `the output ${name} exists already`, {
    details: { output: name },
    hint,
  });
}

function outputError(name: string, cause: unknown): CoreError {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  const why =
    { EACCES: 'permission denied', ENOSPC: 'no space left', EROFS: 'read-only file system' }[
      reason
    ] ?? reason;
  return new CoreError('io.output.unwritable', `${name} cannot be written: ${why}`, {
    cause,
    details: { output: name, reason },
    ...(reason === 'EACCES' || reason === 'EROFS'
      ? { hint: 'name a place that you may write to' }
      : {}),
  });
}
