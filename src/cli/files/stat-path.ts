import { type Stats, statSync } from 'node:fs';

/** What stands at a path, links followed; undefined where nothing is, or nothing can be seen. */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
