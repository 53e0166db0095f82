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

/** A folder as it was found once: another one with its name is not taken for it. */
export interface FolderMark {
  /** Real path. */
  readonly path: string;
  /** Device and number of the folder. */
  readonly identity: string;
}

/**
 * A folder that stays the one that was reached, whatever is put in the place of its name or of a
 * folder above it meanwhile.
 */
export interface HeldFolder {
  /** A path to an entry of the folder, for calls to the system; not for people. */
  at(name: string): string;
  /** Makes the names in it durable, where the file system can. */
  sync(): void;
  close(): void;
}

/** Path of a folder below a root. */
export interface FolderRequest {
  /** A path that the user named: links that lead to it are followed. Or a folder found before. */
  readonly root: string | FolderMark;
  /** Path below the root, with `/`; no link in it is followed. Empty for the root itself. */
  readonly below?: string;
  /** Folders that are missing are made. */
  readonly make?: boolean;
}

/** Flags for opening that Windows does not have. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;

// Linux reaches an entry through an open folder by this name. Elsewhere, and for a folder that may
// not be listed, each step is looked at again before an entry is used, which leaves a moment to
// somebody who changes it just then.
const descriptors = '/proc/self/fd';
const canHold = process.platform === 'linux' && existsSync(descriptors);

/** Marks a folder, with links to it followed. @throws the error of the system */
export function markFolder(path: string): FolderMark {
  const real = realpathSync(path);
  return { path: real, identity: identityOf(statSync(real)) };
}

/**
 * Reaches a folder.
 *
 * @throws io.link when a step below the root is a link, or the root is another folder by now
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

/** Refuses a link. @throws io.link */
export function refuseLink(path: string): never {
  throw linked(path, 'is a symbolic link, which is not followed there');
}

interface Step extends HeldFolder {
  readonly identity: string;
}

/** @param at how the last step is reached */
function open(steps: readonly FolderMark[], flags: number, at = steps.at(-1)?.path ?? ''): Step {
  if (!canHold) return heldByPath([...steps]);
  const openHere = () => heldByDescriptor(openSync(at, O_RDONLY | O_DIRECTORY | flags));
  return attemptAny(openHere, onSystemCode('EACCES')) ?? heldByPath([...steps]);
}

/** Identity of a folder that is there, or is made. */
function requireFolder(at: string, path: string, make: boolean): string {
  let stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined && make) {
    // Another worker may have made it just now.
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
    // Some file systems refuse: the files are there all the same.
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
