import { lstatSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { systemCode } from '../../base/os-errors.ts';
import { type FolderMark, type HeldFolder, holdFolder, refuseLink } from './held-folder.ts';
import { openFound } from './own-files.ts';

/** A file below a folder, reached from there without following a link. */
export interface FilePlace {
  readonly root: FolderMark;
  /** Path below the root, with `/`. */
  readonly below: string;
}

/** The folder that a file stands in, and its name there. The caller closes the folder. */
export interface OpenedPlace {
  readonly folder: HeldFolder;
  readonly name: string;
}

/** Reaches the folder of a file. @throws io.link, the error of the system */
export function openPlace({ root, below }: FilePlace, make = false): OpenedPlace {
  const folder = holdFolder({ root, below: posix.dirname(below), make });
  return { folder, name: posix.basename(below) };
}

/**
 * The state of the entry at a place; undefined if there is none.
 *
 * @throws io.link when it is a link
 */
export function statPlaced(place: FilePlace): Stats | undefined {
  return within(place, (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) refuseLink(shownPath(place));
    return stats;
  });
}

/** Opens the regular file at a place for reading; undefined when there is none. @throws io.link */
export function openPlaced(place: FilePlace): number | undefined {
  return within(place, (path) => openFound(path, 'read', shownPath(place)));
}

function within<T>(place: FilePlace, work: (path: string) => T): T | undefined {
  let opened: OpenedPlace;
  try {
    opened = openPlace(place);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return work(opened.folder.at(opened.name));
  } finally {
    opened.folder.close();
  }
}

function shownPath({ root, below }: FilePlace): string {
  return `${root.path}/${below}`;
}
