import { randomInt } from 'node:crypto';
import { opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from './files/index.ts';

/** Folders already swept for temporary files of killed processes. */
const swept = new Set<string>();
const LEFTOVER_MS = 3_600_000;

/**
 * Writes a file atomically and durably, readable only by its owner; an existing file is replaced.
 * Temporary files of killed processes are removed once they are an hour old.
 *
 * @throws the error of the system
 */
export async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomInt(2 ** 47)}.tmp`;
  const folder = dirname(path);
  if (!swept.has(folder)) {
    swept.add(folder);
    await sweepTemporary(folder, (name) => /\.\d+-\d+\.tmp$/.test(name));
  }
  await writeAtomically(path, content, { temporary, folderSync: 'where-possible' });
}

/** Removes temporary files left behind by killed processes, if `isOurs` accepts their names. */
export async function sweepTemporary(
  folder: string,
  isOurs: (name: string) => boolean,
): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    if (!name.endsWith('.tmp') || !isOurs(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > LEFTOVER_MS) {
      await rm(path, { force: true });
    }
  }
}
