import { existsSync, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Name of the project's configuration file, looked for from the current folder upward. */
export const projectFileName = 'innsigli.config.json';

/** The user's configuration file. @spec XDG Base Directory 0.8 */
export function userConfigFile(env: Environment): string {
  return join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'innsigli', 'config.json');
}

/** The data directory when nothing names one. @spec XDG Base Directory 0.8 */
export function defaultDataDir(env: Environment): string {
  return join(xdgFolder(env, 'XDG_DATA_HOME', join('.local', 'share')), 'innsigli');
}

/** The root certificate of the development trust in a data directory. */
export function developmentRootFile(dataDir: string): string {
  return join(dataDir, 'trust', 'root.pem');
}

/** The SQLite database of a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'innsigli.db');
}

/** The key of a data directory to what is encrypted in its database. */
export function vaultKeyFile(dataDir: string): string {
  return join(dataDir, 'vault.key');
}

/** The nearest project configuration file at or above `cwd`. */
export function findProjectFile(cwd: string): string | undefined {
  let folder = resolve(cwd);
  for (;;) {
    const file = join(folder, projectFileName);
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/**
 * True when a file belongs to somebody who has no power over this user anyway: neither the user
 * nor the superuser. Of a link both the link and the file count.
 */
export function isOfSomebodyElse(file: string): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  const isForeign = ({ uid }: { readonly uid: number }) => uid !== own && uid !== 0;
  return isForeign(lstatSync(file)) || isForeign(statSync(file));
}

/** `path` made absolute against `base`; with `home` a leading `~/` is the home folder. */
export function absolutePath(path: string, base: string, home?: Environment): string {
  if (home !== undefined && path.startsWith('~/')) return join(homeFolder(home), path.slice(2));
  return resolve(base, path);
}

/** The home folder of the user. */
export function homeFolder(env: Environment): string {
  return env['HOME'] || homedir();
}

// The specification says to ignore relative paths.
function xdgFolder(env: Environment, variable: string, fallback: string): string {
  const folder = env[variable];
  return folder && isAbsolute(folder) ? folder : join(homeFolder(env), fallback);
}
