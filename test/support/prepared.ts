import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { newSharedFolder, newTemporaryFolder } from './folders.ts';

/** A folder of a test, copied from a prepared one. */
export interface PreparedFolder<Facts> {
  readonly folder: string;
  readonly facts: Facts;
}

/**
 * Returns copies of a folder that `make` fills on first use. Creating a data directory takes a
 * tenth of a second for keys and tables, copying it some milliseconds.
 *
 * @returns a function that copies into a new folder, or into the given one
 */
export function prepared<Facts>(
  name: string,
  make: (folder: string) => Promise<Facts>,
): (into?: string) => Promise<PreparedFolder<Facts>> {
  let made: Promise<PreparedFolder<Facts>> | undefined;
  return async (folder = newTemporaryFolder(name)) => {
    made ??= makeOnce(name, make);
    const { folder: original, facts } = await made;
    copyFolder(original, folder);
    return { folder, facts };
  };
}

async function makeOnce<Facts>(
  name: string,
  make: (folder: string) => Promise<Facts>,
): Promise<PreparedFolder<Facts>> {
  const folder = newSharedFolder(`${name}-original`);
  return { folder, facts: await make(folder) };
}

/** Like `cpSync` with time stamps, but without checking every parent again for each file. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: statSync(from).mode });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyFolder(source, target);
      continue;
    }
    copyFileSync(source, target);
    const { atime, mtime } = statSync(source);
    utimesSync(target, atime, mtime);
  }
}
