import { constants, copyFileSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { sha256Of } from '../../../base/bytes.ts';
import { attemptAny } from '../../../base/errors.ts';
import { systemCode } from '../../../base/os-errors.ts';
import type { ResolvedConfig } from '../../../wire/config/config.ts';
import {
  type FolderMark,
  type FolderRequest,
  giveName,
  holdFolder,
  openPlace,
} from '../../../wire/documents.ts';
import { shortName } from '../../files/index.ts';
import type { BatchOptions, BatchTask, InputEntry } from '../batch.types.ts';
import { commonFolder } from './selection.ts';

/** Folder below the results for files removed from a watched folder. */
const quarantineName = '.innsigli-quarantine';

/** Folder of the journal: the output folder or, in place, the folder that contains all inputs. */
export function journalFolder(outDir: string | undefined, entries: readonly InputEntry[]): string {
  if (outDir !== undefined) return outDir;
  const roots = new Set(
    entries.map(({ path, relative }) => path.slice(0, path.length - relative.length)),
  );
  return commonFolder([...roots].map((root) => join(root, 'file')));
}

/** Digest of everything that affects the results, hexadecimal. */
export function fingerprintOf(options: BatchOptions, config: ResolvedConfig): string {
  const { command, seal, sealXml, container, form, suffix, inPlace } = options;
  // Undefined if not requested, so that journals from before the option still match.
  const timestampOnly = options.timestampOnly || undefined;
  const { key, level, digest } = config;
  const what = { command, timestampOnly, seal, sealXml, container, form, suffix, inPlace };
  const facts = { ...what, key, level, digest };
  return sha256Of(JSON.stringify(facts));
}

/**
 * Removes temporary files left by killed runs next to results: `.NAME.<12 hex>.tmp`. Only names of
 * this plan are affected, and no folder reached through a link. Returns the number of removed
 * files.
 */
export function removeLeftovers(
  tasks: readonly BatchTask[],
  outRoot: FolderMark | undefined,
): number {
  let count = 0;
  for (const { request, names } of resultFolders(tasks, outRoot)) {
    // An unreachable folder is reported with its documents.
    const folder = attemptAny(() => holdFolder(request));
    if (folder === undefined) continue;
    for (const name of readdirSync(folder.at('.'))) {
      const [, of] = /^\.(.+)\.[0-9a-f]{12}\.tmp$/s.exec(name) ?? [];
      if (of === undefined || !names.has(of)) continue;
      unlinkSync(folder.at(name));
      count += 1;
    }
    folder.close();
  }
  return count;
}

interface ResultFolder {
  readonly request: FolderRequest;
  /** Prefixes of the names of results. */
  readonly names: Set<string>;
}

function resultFolders(
  tasks: readonly BatchTask[],
  outRoot: FolderMark | undefined,
): Iterable<ResultFolder> {
  const folders = new Map<string, ResultFolder>();
  for (const { output, outputBelow, place } of tasks) {
    if (output === undefined) continue;
    const where = outRoot && outputBelow ? { root: outRoot, below: outputBelow } : place;
    const request =
      where === undefined
        ? { root: dirname(output) }
        : { root: where.root, below: posix.dirname(where.below) };
    const key = JSON.stringify(request);
    const found = folders.get(key) ?? { request, names: new Set() };
    folders.set(key, found);
    found.names.add(shortName(basename(where?.below ?? output)));
  }
  return folders.values();
}

/**
 * Moves an input to the quarantine below the output folder and returns its new path. Existing files
 * are not replaced, and links are not followed.
 *
 * @throws io.link
 */
export function moveToQuarantine(task: BatchTask, outRoot: FolderMark): string {
  const below = posix.dirname(posix.join(quarantineName, task.relative));
  const target = holdFolder({ root: outRoot, below, make: true });
  const source = task.place === undefined ? undefined : openPlace(task.place);
  const from = source === undefined ? task.path : source.folder.at(source.name);
  try {
    const wanted = posix.basename(task.relative);
    for (let count = 0; ; count += 1) {
      const name = count === 0 ? wanted : `${wanted}.${count}`;
      if (moveAside(from, target.at(name))) return join(outRoot.path, below, name);
    }
  } finally {
    target.close();
    source?.folder.close();
  }
}

/** False if the name is in use. */
function moveAside(from: string, to: string): boolean {
  try {
    giveName(from, to, 'new');
    return true;
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'EEXIST') return false;
    if (code !== 'EXDEV') throw cause;
  }
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false;
    throw cause;
  }
  unlinkSync(from);
  return true;
}
