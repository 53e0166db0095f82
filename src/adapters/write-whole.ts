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
  await sweepOnce(dirname(path));
  await writeAtomically(path, content, { temporary, folderSync: 'where-possible' });
}

async function sweepOnce(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  for await (const { name } of await opendir(folder)) {
    if (!/\.\d+-\d+\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    const modifiedAtMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - modifiedAtMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}
