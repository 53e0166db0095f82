import { readdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { attemptAny, InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { osReason, systemCode } from '../../../base/os-errors.ts';
import { type FilePlace, type FolderMark, markFolder } from '../../../wire/documents.ts';
import {
  closeInput,
  endingOf,
  isContainerName,
  isDocumentName,
  readInput,
  statPath,
} from '../../files/index.ts';
import type { CliIo } from '../../io.ts';
import type { BatchCommand, InputEntry } from '../batch.types.ts';

/** Locations of a batch's documents. */
export interface SelectRequest {
  readonly command: BatchCommand;
  /** Selects all files of a folder except containers, whatever their extensions. */
  readonly isAnyFile?: boolean;
  /** Absolute path of the current folder. */
  readonly cwd: string;
  /** Files, folders and patterns. */
  readonly inputs: readonly string[];
  /** Names from a list: files and folders, but not patterns. */
  readonly listed: readonly string[];
  /** Absolute path of the output folder: its files are not inputs. */
  readonly outDir?: string;
  /** Suffix by which results are recognised in a folder that is also an input. */
  readonly suffix: string;
  /** Folders scanned before, by path, which must not have been exchanged. */
  readonly roots?: Map<string, FolderMark>;
  /** Called with the name of a link that leads out of its folder. */
  onLeftOut?(name: string): void;
}

/**
 * Returns the documents that the arguments denote, each once, in a fixed order. A folder denotes
 * the files in it and below it with the extensions of the command, in any letter case, except
 * hidden names and links to folders. A pattern denotes its matches, except hidden names. A name
 * denotes itself, even if no such file exists: that is reported when its turn comes. The same
 * applies to a subfolder that cannot be read. A link that leads out of the folder is omitted.
 *
 * @throws io.input.unreadable if a named folder cannot be read
 * @throws io.link if a folder was exchanged since the last scan
 */
export async function selectInputs(request: SelectRequest): Promise<readonly InputEntry[]> {
  const { cwd, command, isAnyFile = false } = request;
  const isDocument = (name: string) =>
    isAnyFile ? !isContainerName(name) : isDocumentName(name, command);
  const isOwn = ownResults(request);
  // The number of entries is unlimited, so they are never passed as arguments of a call.
  const entries: Iterable<InputEntry>[] = [];
  const named = new Set<string>();
  for (const input of request.inputs) {
    const path = resolve(cwd, input);
    const stats = statPath(path);
    if (stats?.isDirectory()) entries.push(walk(input, path, isOwn, isDocument, request));
    else if (stats === undefined && (await isPattern(input))) {
      entries.push(await matching(input, isOwn, request));
    } else named.add(input);
  }
  for (const name of new Set(request.listed)) {
    const path = resolve(cwd, name);
    if (statPath(path)?.isDirectory()) entries.push(walk(name, path, isOwn, isDocument, request));
    else named.add(name);
  }
  entries.push(namedEntries([...named], cwd));
  return eachOnce(entries);
}

/** Rejects a pattern without matches. @throws io.input.notfound */
export async function requireMatches(inputs: readonly string[], cwd: string): Promise<void> {
  for (const input of inputs) {
    if (statPath(resolve(cwd, input)) !== undefined || !(await isPattern(input))) continue;
    if ((await matching(input, () => false, { cwd })).length > 0) continue;
    throw new InnsigliError('io.input.notfound', `no file matches ${input}`, {
      details: { file: input },
      hint: 'patterns are relative to the current folder and skip hidden names',
    });
  }
}

/** Reads the names in a file, or in stdin for `-`. @throws io.input.notfound */
export async function readNameList(
  filesFrom: string | undefined,
  io: CliIo,
): Promise<readonly string[]> {
  if (filesFrom === undefined) return [];
  const list = await readInput(filesFrom, io);
  try {
    const { source } = list;
    if (source.lengthBytes > limits.nameListBytes) {
      const expected = `expected at most ${limits.nameListBytes} bytes`;
      throw new InnsigliError('limit.exceeded', `--files-from: ${expected}, found more`);
    }
    return parseNameList(Buffer.from(source.slice(0, source.lengthBytes)).toString('utf8'));
  } finally {
    closeInput(list);
  }
}

/**
 * Parses a list of names: terminated by NUL if it contains any, else one per line.
 *
 * @throws limit.exceeded for a name too long for any system
 */
export function parseNameList(text: string): readonly string[] {
  const names = text.includes('\0') ? text.split('\0') : text.split(/\r?\n/);
  for (const [index, name] of names.entries()) {
    const lengthBytes = Buffer.byteLength(name);
    if (lengthBytes <= limits.listedNameBytes) continue;
    const found = `expected at most ${limits.listedNameBytes} bytes, found ${lengthBytes}`;
    throw new InnsigliError('limit.exceeded', `--files-from: name ${index + 1}: ${found}`, {
      hint: 'expected one name per line, or names terminated by NUL',
    });
  }
  return names.filter((name) => name !== '');
}

/** The longest folder that contains all paths; the paths are absolute and name files. */
export function commonFolder(paths: readonly string[]): string {
  let common: string[] | undefined;
  for (const path of paths) {
    const parts = dirname(path).split(sep);
    common ??= parts;
    let count = 0;
    while (count < common.length && common[count] === parts[count]) count += 1;
    common = common.slice(0, count);
  }
  return common?.join(sep) || sep;
}

async function isPattern(text: string): Promise<boolean> {
  if (!/[*?[{(!]/.test(text)) return false;
  const { isDynamicPattern } = await import('tinyglobby');
  return isDynamicPattern(text);
}

// The part before the first pattern segment is the folder that is mirrored.
async function matching(
  pattern: string,
  isOwn: (path: string) => boolean,
  request: Pick<SelectRequest, 'cwd' | 'roots' | 'onLeftOut'>,
): Promise<readonly InputEntry[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => isDynamicPattern(segment));
  const folder = segments.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '.');
  const root = resolve(request.cwd, folder);
  const found = await glob(segments.slice(first).join('/'), {
    cwd: root,
    dot: false,
    expandDirectories: false,
    followSymbolicLinks: false,
  });
  return found.sort().flatMap((below) => {
    const path = join(root, below);
    const stats = statPath(path);
    if (isUnreadableName(below, stats)) return [entryOf(join(folder, below), path, below, stats)];
    if (!stats?.isFile() || isOwn(realPath(path))) return [];
    const place = placeOf(rootOf(root, request), path);
    if (place !== undefined)
      return [{ ...entryOf(join(folder, below), path, below, stats), place }];
    request.onLeftOut?.(join(folder, below));
    return [];
  });
}

function* walk(
  name: string,
  path: string,
  isOwn: (path: string) => boolean,
  isDocument: (name: string) => boolean,
  request: SelectRequest,
): Generator<InputEntry> {
  const mark = rootOf(path, request);
  const root = mark.path;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const below: string[] = [];
    const children = readFolder(join(root, folder), join(name, folder), folder !== '');
    if (children === undefined) {
      yield entryOf(join(name, folder), join(path, folder), folder, undefined);
      continue;
    }
    for (const child of children) {
      if (child.name.startsWith('.')) continue;
      const inside = folder === '' ? child.name : `${folder}/${child.name}`;
      const full = join(root, inside);
      if (child.isDirectory()) {
        if (!isOwn(full)) below.push(inside);
        continue;
      }
      if (!isDocument(child.name) || isOwn(full)) continue;
      const stats = statPath(full);
      // Excludes dangling links, pipes, and links to folders.
      if (!stats?.isFile() && !isUnreadableName(child.name, stats)) continue;
      const place = placeOf(mark, full);
      if (place === undefined) request.onLeftOut?.(join(name, inside));
      else yield { ...entryOf(join(name, inside), join(path, inside), inside, stats), place };
    }
    for (const inside of below.reverse()) folders.push(inside);
  }
}

/** A name that is not UTF-8 cannot be opened: it is kept, so that its failure is reported. */
function isUnreadableName(name: string, stats: Stats | undefined): boolean {
  return stats === undefined && name.includes('\ufffd');
}

/** The folder of the first scan. @throws io.link if its name leads elsewhere by now */
function rootOf(path: string, { roots }: Pick<SelectRequest, 'roots'>): FolderMark {
  const found = markFolder(path);
  const first = roots?.get(path) ?? found;
  roots?.set(path, first);
  if (first.path === found.path && first.identity === found.identity) return first;
  throw new InnsigliError('io.link', `${path} was replaced by a different folder`, {
    details: { path },
    hint: 'start the batch again if that was intended',
  });
}

/** Position of a document below a folder. Undefined if a link leads out of it. */
function placeOf(root: FolderMark, path: string): FilePlace | undefined {
  const real = realPath(path);
  const start = root.path.endsWith(sep) ? root.path : `${root.path}${sep}`;
  if (!real.startsWith(start)) return undefined;
  return { root, below: real.slice(start.length).split(sep).join('/') };
}

/** Undefined for a subfolder that may not be read. */
function readFolder(path: string, name: string, isBelow: boolean) {
  try {
    const children = readdirSync(path, { withFileTypes: true });
    return children.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    const reason = systemCode(cause) ?? 'unknown';
    if (isBelow) return undefined;
    const message = `the folder ${name} cannot be read: ${osReason(cause)}`;
    throw new InnsigliError('io.input.unreadable', message, {
      cause,
      details: { file: name, reason },
    });
  }
}

function namedEntries(names: readonly string[], cwd: string): readonly InputEntry[] {
  const paths = names.map((name) => resolve(cwd, name));
  const common = commonFolder(paths);
  return paths.map((path, index) =>
    entryOf(names[index] ?? path, path, relative(common, path), statPath(path)),
  );
}

/** Returns a predicate for real paths that are results of this batch and not inputs. */
function ownResults({ cwd, inputs, outDir, suffix }: SelectRequest): (path: string) => boolean {
  if (outDir === undefined) return () => false;
  const out = realPath(outDir);
  const isRoot = inputs.some((input) => {
    const root = realPath(resolve(cwd, input));
    return root === out || root.startsWith(`${out}${sep}`);
  });
  if (!isRoot) return (path) => path === out || path.startsWith(`${out}${sep}`);
  const isResult = (path: string) => {
    const stem = path.slice(0, path.length - endingOf(path).length);
    return stem.toLowerCase().endsWith(suffix.toLowerCase());
  };
  return (path) => suffix !== '' && path.startsWith(out) && isResult(path);
}

function eachOnce(lists: readonly Iterable<InputEntry>[]): readonly InputEntry[] {
  const found = new Map<string, InputEntry>();
  for (const list of lists) {
    for (const entry of list) if (!found.has(entry.path)) found.set(entry.path, entry);
  }
  return [...found.values()];
}

function entryOf(name: string, path: string, below: string, stats: Stats | undefined): InputEntry {
  const facts = { sizeBytes: stats?.size ?? 0, mtimeMs: stats?.mtimeMs ?? 0 };
  return { name, path, relative: below.split(sep).join('/'), ...facts };
}

/** The path without links, resolved as far as it exists. */
function realPath(path: string): string {
  const real = attemptAny(() => realpathSync(path));
  if (real !== undefined) return real;
  const folder = dirname(path);
  return folder === path ? path : join(realPath(folder), path.slice(folder.length));
}
