/** Temporary folders of tests; each is removed. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atFileEnd } from './file-end.ts';

/** Where the folders are that files share; the end of the run removes it (`own-folder.ts`). */
export const sharedFolders = 'shared';

// Of the beginning: a test may put its folders elsewhere for a while.
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
 * For programs that leave their own temporary files behind when they are killed, as browsers do:
 * their `TMPDIR`. It is short, because paths of sockets have 107 characters at most.
 */
export function sharedPlace(): string {
  const place = join(places, sharedFolders);
  mkdirSync(place, { recursive: true });
  return place;
}
