/**
 * A separate folder for the temporary files of a run. Workers are killed at the end, so folders
 * shared by files are removed here; files left behind by a test file are a fault.
 */
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { sharedFolders } from './folders.ts';

/** Maximum space needed by the tests of one process. */
const ROOM_BYTES = 2 ** 30;

/** Creates it before the first test; removes it after the last, and names what is left in it. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(placeOf(project.name), `innsigli-${project.name}-tests-`));
  // PostgreSQL runs as a different user.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, sharedFolders));
  project.config.env['TMPDIR'] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Also if the run is aborted.
  process.on('exit', remove);
  return () => {
    const left = readdirSync(folder).filter((name) => name !== sharedFolders);
    remove();
    if (left.length === 0) return;
    process.exitCode = 1;
    const names = left.sort().join(', ');
    throw new Error(`${project.name}: tests left temporary folders behind: ${names}`);
  };
}

/**
 * An in-memory file system, if it has enough space: data directories write to disk at every commit.
 */
function placeOf(project: string): string {
  const shared = '/dev/shm';
  // Slow tests handle large data.
  if (project === 'slow') return tmpdir();
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= ROOM_BYTES ? shared : tmpdir();
  } catch {
    return tmpdir();
  }
}
