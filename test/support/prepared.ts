import { cpSync } from 'node:fs';
import { newSharedFolder, newTemporaryFolder } from './folders.ts';

/** A folder of a test, copied from one that was made once. */
export interface PreparedFolder<Facts> {
  readonly folder: string;
  readonly facts: Facts;
}

/**
 * Gives copies of a folder that `make` fills when the first is asked for. Making a data directory
 * takes a tenth of a second of keys and tables, copying it some milliseconds.
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
    cpSync(original, folder, { recursive: true, preserveTimestamps: true });
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
