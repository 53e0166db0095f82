import { closeSync, constants, copyFileSync, linkSync, readdirSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hexOf } from '../../../base/bytes.ts';
import { attemptAny, InnsigliError } from '../../../base/errors.ts';
import { osReason, systemCode } from '../../../base/os-errors.ts';
import { createFile, fillFile, readFound } from '../../../wire/documents.ts';
import { removeQuietly, unwritable } from '../../files/index.ts';

/** A lock held by this process. */
export interface Lock {
  release(): void;
}

/** Larger than any lock file. */
const holderBytesMax = 4_096;

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, as reported by the system; empty if it reports none. */
  readonly started: string;
}

/**
 * Acquires the lock file at `path`. The lock of a process that no longer exists is taken over; that
 * of a different machine is not.
 *
 * @throws batch.locked, io.output.unwritable
 */
export function takeLock(path: string, random: (count: number) => Uint8Array): Lock {
  const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const temporary = `${path}.${hexOf(random(6))}`;
  try {
    const descriptor = createFile(temporary, 0o644);
    fillFile(descriptor, Buffer.from(JSON.stringify(own)));
    closeSync(descriptor);
  } catch (cause) {
    throw unwritable(path, osReason(cause), { cause });
  }
  try {
    // Retried once, for a lock that was released or stale.
    if (!claim(temporary, path) && !(setAside(path, temporary) && claim(temporary, path))) {
      throw locked(path);
    }
  } finally {
    removeQuietly(temporary);
  }
  sweep(path);
  return { release: () => removeQuietly(path) };
}

/** Removes files of runs killed while acquiring the lock. */
function sweep(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(start)) removeQuietly(join(dirname(path), name));
  }
}

// A link appears together with its content, or not at all.
function claim(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (cause) {
    const reason = systemCode(cause);
    // ENOENT: the lock's holder has swept the temporary file.
    if (reason === 'EEXIST' || reason === 'ENOENT') return false;
    return claimByName(temporary, path);
  }
}

// For file systems without hard links.
function claimByName(temporary: string, path: string): boolean {
  try {
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    return true;
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false;
    throw unwritable(path, osReason(cause), { cause });
  }
}

/** Removes a stale lock. False if its holder is alive. */
function setAside(path: string, temporary: string): boolean {
  const found = readQuietly(path);
  if (found === undefined) return true;
  if (isAlive(found)) return false;
  const aside = `${temporary}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return true;
  }
  // Another process may have taken it over between the check and the rename: restore its lock.
  const isTheOne = readQuietly(aside) === found;
  if (!isTheOne) claim(aside, path);
  removeQuietly(aside);
  return isTheOne;
}

function isAlive(text: string): boolean {
  const holder = readHolder(text);
  if (holder === undefined) return false;
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (cause) {
    return systemCode(cause) === 'EPERM';
  }
  // The PID may belong to a different process by now.
  return holder.started === startOf(holder.pid);
}

/** Undefined for text that no batch writes. */
function readHolder(text: string): Holder | undefined {
  const found = attemptAny(() => JSON.parse(text) as Partial<Holder> | null);
  const { pid = 0, host, started } = found ?? {};
  const isHolder = Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string';
  return isHolder && typeof started === 'string' ? { pid, host, started } : undefined;
}

/** Field 22 of /proc/PID/stat; the name in parentheses may contain spaces. */
function startOf(pid: number): string {
  const text = readQuietly(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function locked(path: string): InnsigliError {
  return new InnsigliError('batch.locked', 'another batch is running in this folder', {
    details: { lock: path },
    hint: `wait for it to finish; if it no longer runs on any machine, remove ${path}`,
  });
}

function readQuietly(path: string): string | undefined {
  return readFound(path, holderBytesMax);
}
