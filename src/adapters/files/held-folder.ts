import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { onSystemCode } from '../../base/os-errors.ts';

/** Identifies a folder, so that a different folder of the same name is not mistaken for it. */
export interface FolderMark {
  /** Real path. */
  readonly path: string;
  /** Device and inode number of the folder. */
  readonly identity: string;
}

/** An open folder that stays the same even if its name, or that of a parent, is replaced. */
export interface HeldFolder {
  /** A path to an entry of the folder, for system calls; not for display. */
  at(name: string): string;
  /** Makes its directory entries durable, if the file system supports that. */
  sync(): void;
  close(): void;
}

/** A folder below a root. */
export interface FolderRequest {
  /** A path given by the user, in which links are followed, or a previously marked folder. */
  readonly root: string | FolderMark;
  /** Path below the root, with `/`, in which no link is followed. Empty for the root itself. */
  readonly below?: string;
  /** Whether missing folders are created. */
  readonly make?: boolean;
}

/** Open flags, 0 where they do not exist, as on Windows. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;

// On Linux, entries of an open folder are reached by this path. Elsewhere, and for a folder without
// read permission, each step is checked again before an entry is used, which leaves a small race
// window.
const descriptors = '/proc/self/fd';
const canHold = process.platform === 'linux' && existsSync(descriptors);

/** Marks a folder, following links to it. @throws the error of the system */
export function markFolder(path: string): FolderMark {
  const real = realpathSync(path);
  return { path: real, identity: identityOf(statSync(real)) };
}

/**
 * Opens a folder.
 *
 * @throws io.link if a step below the root is a link, or the root is no longer the marked folder
 * @throws the error of the system
 */
export function holdFolder({ root, below = '', make = false }: FolderRequest): HeldFolder {
  const top = typeof root === 'string' ? root : root.path;
  const steps: FolderMark[] = [{ path: top, identity: identityOf(statSync(top)) }];
  let held = open(steps, 0);
  try {
    if (typeof root !== 'string' && held.identity !== root.identity) {
      throw linked(top, 'is no longer the same folder');
    }
    for (const segment of below.split('/').filter((each) => each !== '' && each !== '.')) {
      const path = join(steps.at(-1)?.path ?? top, segment);
      if (segment === '..') throw linked(path, 'points outside its folder');
      const identity = requireFolder(held.at(segment), path, make);
      steps.push({ path, identity });
      const next = open(steps, O_NOFOLLOW, held.at(segment));
      held.close();
      held = next;
    }
    return held;
  } catch (error) {
    held.close();
    throw error;
  }
}

/** Throws the error for a link. @throws io.link */
export function refuseLink(path: string): never {
  throw linked(path, 'is a symbolic link, which is not followed there');
}

interface Step extends HeldFolder {
  readonly identity: string;
}

/** @param at path by which the last step is reached */
function open(steps: readonly FolderMark[], flags: number, at = steps.at(-1)?.path ?? ''): Step {
  if (!canHold) return heldByPath([...steps]);
  const openHere = () => heldByDescriptor(openSync(at, O_RDONLY | O_DIRECTORY | flags));
  return attemptAny(openHere, onSystemCode('EACCES')) ?? heldByPath([...steps]);
}

/** Identity of an existing or newly created folder. */
function requireFolder(at: string, path: string, make: boolean): string {
  let stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined && make) {
    // Another worker may have created it in the meantime.
    attemptAny(() => mkdirSync(at), onSystemCode('EEXIST'));
    stats = lstatSync(at);
  }
  if (stats?.isSymbolicLink()) refuseLink(path);
  const code = stats === undefined ? 'ENOENT' : 'ENOTDIR';
  if (!stats?.isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code });
  return identityOf(stats);
}

function heldByDescriptor(descriptor: number): Step {
  let isOpen = true;
  return {
    at: (name) => `${descriptors}/${descriptor}/${name}`,
    identity: identityOf(fstatSync(descriptor)),
    // Some file systems do not support this; the files exist all the same.
    sync: () => attemptAny(() => fsyncSync(descriptor)),
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function heldByPath(steps: readonly FolderMark[]): Step {
  const { path, identity } = steps.at(-1) as FolderMark;
  return {
    at(name) {
      for (const [index, step] of steps.entries()) {
        const stats = index === 0 ? statSync(step.path) : lstatSync(step.path);
        if (identityOf(stats) === step.identity) continue;
        throw linked(step.path, 'is no longer the same folder');
      }
      return join(path, name);
    },
    identity,
    sync: () => attemptAny(() => flush(path)),
    close: () => undefined,
  };
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function linked(path: string, what: string): InnsigliError {
  return new InnsigliError('io.link', `${path} ${what}`, {
    details: { path },
    hint: 'pass the target itself, or replace the link with a real folder or file',
  });
}
