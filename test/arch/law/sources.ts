import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModuleFacts, readModule } from './module-facts.ts';

/** The root of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Source files below a folder of the repository, relative to it, sorted. */
export function listSources(folder: string): string[] {
  const entries = readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' });
  return entries
    .map((entry) => entry.replaceAll('\\', '/'))
    .filter((entry) => /\.m?[jt]sx?$/.test(entry))
    .sort();
}

/** Facts of every source below `src/`. */
export function readAllModules(): ModuleFacts[] {
  return listSources('src').map((path) =>
    readModule(path, readFileSync(join(repositoryRoot, 'src', path), 'utf8')),
  );
}
