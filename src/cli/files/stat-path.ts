import { type Stats, statSync } from 'node:fs';

/**
 * The state of the entry at a path, links followed; undefined without one, or if it cannot be seen.
 */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
