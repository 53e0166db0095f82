import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A PDF to be sealed. */
export interface CorpusFile {
  readonly path: string;
  /** Path relative to the given folder. */
  readonly name: string;
  readonly password?: string;
}

/** Returns every PDF below the folder, sorted by name, with its recorded password. */
export function listFiles(folder: string, passwordsFile: string | undefined): CorpusFile[] {
  const passwords = readPasswords(folder, passwordsFile);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.pdf$/i.test(entry.name))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const password = passwords.get(path);
      const name = relative(folder, path);
      return password === undefined ? { path, name } : { path, name, password };
    });
}

/**
 * Passwords by absolute path: from `path TAB password` lines, and from a manifest.tsv at or above
 * the folder whose rows contain `opens with password "…"`.
 */
function readPasswords(folder: string, file: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const manifest = findAbove(folder, 'manifest.tsv');
  for (const [path, rest] of rowsOf(manifest)) {
    const password = /opens with password "([^"]*)"/.exec(rest)?.[1];
    if (password !== undefined) found.set(path, password);
  }
  for (const [path, password] of rowsOf(file ?? findAbove(folder, 'passwords.tsv'))) {
    found.set(path, password);
  }
  return found;
}

function rowsOf(file: string | undefined): readonly (readonly [string, string])[] {
  if (file === undefined) return [];
  const base = dirname(resolve(file));
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const tab = line.indexOf('\t');
      return tab < 0 ? [] : [[resolve(base, line.slice(0, tab)), line.slice(tab + 1)] as const];
    });
}

function findAbove(folder: string, name: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, name);
    if (existsSync(path)) return path;
    if (at === dirname(at)) return undefined;
  }
}
