import { randomInt } from 'node:crypto';
import { opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from './files/index.ts';

/** Folders that were looked through for what killed programs left. */
const swept = new Set<string>();
const LEFTOVER_MS = 3_600_000;

/**
 * Writes a file that only its owner may read, so that it is there completely and durably or not at
 * all; an existing file is replaced. Temporary files of a killed program are removed an hour later.
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

/** Removes temporary files of these names, left behind by a program that was killed. */
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
