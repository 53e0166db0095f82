/** Temporary folders of tests, which are all removed. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from './file-end.ts';

/** Location of folders shared by files; the end of the run removes it (`own-folder.ts`). */
export const sharedFolders = 'shared';

// The initial value: a test may temporarily redirect its folders.
const places = tmpdir();
const made = new Set<string>();

atFileEnd('folders', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
  made.clear();
});

/** A new folder, which is removed when the test file ends. */
export function newTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `innsigli-${name}-`));
  made.add(folder);
  return folder;
}

/** A new folder for all files of this process, which is removed when the run ends. */
export function newSharedFolder(name: string): string {
  return mkdtempSync(join(sharedPlace(), `innsigli-${name}-`));
}

/**
 * `TMPDIR` for programs that leave temporary files behind when they are killed, as browsers do. It
 * is short, because socket paths have at most 107 characters.
 */
export function sharedPlace(): string {
  const place = join(places, sharedFolders);
  mkdirSync(place, { recursive: true });
  return place;
}
