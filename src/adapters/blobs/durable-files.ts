import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files/index.ts';
import { TEMPORARY } from './names.ts';

/**
 * Makes the folder `path` below `top` with those above it, durably.
 *
 * @param known folders that this program knows to be there and durable
 * @throws the error of the system
 */
export async function makeFolders(path: string, top: string, known: Set<string>): Promise<void> {
  if (known.has(path)) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Another program may have made one of them and not have come to flushing its name.
  for (let at = path; at !== top && !known.has(at); at = dirname(at)) {
    await syncFolder(dirname(at));
    known.add(at);
  }
}

/** A name in the folder of `path` for a file on its way there. */
export function asideOf(path: string): string {
  return join(dirname(path), `${TEMPORARY}${randomUUID()}`);
}
