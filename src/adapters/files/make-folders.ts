import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../base/os-errors.ts';

/**
 * Makes a folder and those above it. Node's own recursive way never returns where a file system
 * answers «no such entry» although the folder above is there, as /proc does.
 *
 * @throws the error of the system
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    makeFolders(above, mode);
    makeFolders(path, mode);
  }
}
