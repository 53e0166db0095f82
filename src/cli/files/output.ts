import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ErrorContext, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { osErrorText, systemCode } from '../../base/os-errors.ts';
import { type FilePlace, openPlace, statPlaced } from '../../wire/documents.ts';
import type { CliIo } from '../io.ts';
import { type InputFile, identityOf } from './input.ts';

/** Location of a result. */
export interface OutputPlan {
  /** Name as entered by the user; `-` for stdout. */
  readonly name: string;
  readonly kind: 'stdout' | 'new-file' | 'replace' | 'device';
  /** Absolute path with links resolved; empty for stdout. */
  readonly path: string;
  /** Path below a folder: links in it are not followed. */
  readonly place?: FilePlace;
  /** Properties of the input that a result in place preserves. */
  readonly kept?: KeptFacts;
}

/** Properties preserved when a file is replaced in place. */
export interface KeptFacts {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Identity of the file that was read: no other file is replaced. */
  readonly identity: string;
}

/** What the user's options allow. */
export interface OutputOptions {
  /** Allows replacing an existing file. */
  readonly force: boolean;
  /** The input itself is the output. */
  readonly inPlace?: boolean;
  /** Position of the output below a folder; only regular files are replaced there. */
  readonly place?: FilePlace;
  /** Additional hint for an output that already exists. */
  readonly existsHint?: string;
  /** Additional hint for an output that is the input. */
  readonly sameHint?: string;
}

/**
 * Determines and checks the output before any work is done, so that no time-stamp is wasted on a
 * result that could not be written.
 *
 * @throws usage.output.same, usage.output.exists, usage.output.terminal, io.output.unwritable
 * @throws io.link
 */
export function planOutput(
  name: string,
  input: InputFile,
  options: OutputOptions,
  io: CliIo,
): OutputPlan {
  if (name === '-') {
    if (io.stdout.isTerminal) {
      throw new InnsigliError('usage.output.terminal', 'a document would go to the terminal', {
        hint: 'name a file with -o, or redirect: … -o - > result',
      });
    }
    return { name, kind: 'stdout', path: '' };
  }
  const path = resolve(io.cwd, name);
  const { place } = options;
  if (place !== undefined) return planPlaced(name, path, place, input, options);
  const stats = statOf(path, name);
  if (stats === undefined) return planNew(name, path, options);
  if (stats.isDirectory()) {
    throw new InnsigliError('io.output.unwritable', `expected a file, found a folder: ${name}`, {
      hint: `name the file: -o ${join(name, 'sealed.pdf')}`,
    });
  }
  if (!stats.isFile()) return { name, kind: 'device', path };
  requireWritable(dirname(realpathSync(path)), name);
  return {
    name,
    kind: 'replace',
    path: realpathSync(path),
    ...replacing(stats, name, input, options),
  };
}

/** Properties to preserve when the existing file is replaced, if that is allowed. */
function replacing(
  stats: Stats,
  name: string,
  input: InputFile,
  {
    inPlace,
    force,
    existsHint,
    sameHint = 'choose a different name with -o, or pass --in-place to replace the input',
  }: OutputOptions,
): { readonly kept?: KeptFacts } {
  const isInput = identityOf(stats) === input.identity;
  if (inPlace) {
    if (!isInput) throw changedInput(name);
    const { mode = 0o600, owner, identity = '' } = input;
    const { uid, gid } = owner ?? stats;
    requireOwnable(uid, gid, name);
    return { kept: { mode, uid, gid, identity } };
  }
  if (isInput) {
    throw new InnsigliError('usage.output.same', `the output ${name} is the input itself`, {
      details: { input: input.name, output: name },
      hint: sameHint,
    });
  }
  if (!force) throw existsError(name, existsHint);
  return {};
}

/** Only root may change the owner of a file; a user may assign it to one of their groups. */
function requireOwnable(uid: number, gid: number, name: string): void {
  const user = process.geteuid?.() ?? 0;
  if (user === 0) return;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  if (uid === user && groups.includes(gid)) return;
  throw new InnsigliError('io.output.unwritable', `${name} cannot keep its owner and group`, {
    details: { output: name, uid, gid },
    hint: 'write the result elsewhere, or ask the owner to seal it in place',
  });
}

/** Plans an output below a folder writable by others: entries are checked, links not followed. */
function planPlaced(
  name: string,
  path: string,
  place: FilePlace,
  input: InputFile,
  options: OutputOptions,
): OutputPlan {
  try {
    const stats = statPlaced(place);
    const { folder } = openPlace(place, true);
    try {
      accessSync(folder.at('.'), constants.W_OK);
    } finally {
      folder.close();
    }
    if (stats === undefined) {
      if (options.inPlace) throw changedInput(name);
      return { name, kind: 'new-file', path, place };
    }
    if (!stats.isFile()) {
      const message = `expected a regular file: ${name}`;
      throw new InnsigliError('io.output.unwritable', message, { details: { output: name } });
    }
    return { name, kind: 'replace', path, place, ...replacing(stats, name, input, options) };
  } catch (cause) {
    throw isInnsigliError(cause) ? cause : outputError(name, cause);
  }
}

function planNew(name: string, path: string, options: OutputOptions): OutputPlan {
  const folder = dirname(path);
  const stats = statOf(folder, name);
  // In Node 24, stat reports a path through a file as missing.
  if (stats?.isDirectory() === false) throw outputError(name, { code: 'ENOTDIR' });
  if (stats === undefined) {
    const message = `the folder of the output does not exist: ${name}`;
    const about = { details: { folder }, hint: 'create the folder first' };
    throw new InnsigliError('io.output.unwritable', message, about);
  }
  requireWritable(folder, name);
  // For a dangling link, stat finds nothing, but the name is in use.
  const taken = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (taken && !options.force) throw existsError(name, options.existsHint);
  return { name, kind: taken ? 'replace' : 'new-file', path };
}

function requireWritable(folder: string, name: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw outputError(name, cause);
  }
}

function statOf(path: string, name: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw outputError(name, cause);
  }
}

/** Creates the error for an output that already exists. */
export function existsError(
  name: string,
  hint = 'choose a different name with -o, or pass --force to replace it',
): InnsigliError {
  return new InnsigliError('usage.output.exists', `the output ${name} already exists`, {
    details: { output: name },
    hint,
  });
}

/** Creates the error for an input that was replaced after it was read. */
export function changedInput(name: string): InnsigliError {
  return new InnsigliError('io.input.changed', `${name} was replaced during processing`, {
    details: { file: name },
    hint: 'wait until the program writing it has finished',
  });
}

/** Creates the error for an output that is not written, with the reason. */
export function unwritable(name: string, why: string, context: ErrorContext = {}): InnsigliError {
  return new InnsigliError('io.output.unwritable', `${name} cannot be written: ${why}`, context);
}

/** Creates the error for an output that the system could not write. */
export function outputError(name: string, cause: unknown): InnsigliError {
  const reason = systemCode(cause) ?? 'unknown';
  return unwritable(name, osErrorText(reason), {
    cause,
    details: { output: name, reason },
    ...(reason === 'EACCES' || reason === 'EROFS'
      ? { hint: 'choose a folder you can write to' }
      : {}),
  });
}
