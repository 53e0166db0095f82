/**
 * A folder of its own for temporary files of a run. Workers are killed at the end, so that what
 * files share is removed here; what a file has left behind is a fault of it.
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

/** Room that the tests of one process need at most. */
const ROOM_BYTES = 2 ** 30;

/** Makes it before the first test; removes it after the last, and names what is left in it. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(placeOf(project.name), `innsigli-${project.name}-tests-`));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, sharedFolders));
  project.config.env['TMPDIR'] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // Also when the run is broken off.
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

/** A file system in memory, if it has room: data directories write to disk at every commit. */
function placeOf(project: string): string {
  const shared = '/dev/shm';
  // Slow tests hold what is really large.
  if (project === 'slow') return tmpdir();
  try {
    accessSync(shared, constants.W_OK);
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= ROOM_BYTES ? shared : tmpdir();
  } catch {
    return tmpdir();
  }
}
