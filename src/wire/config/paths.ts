import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attemptAny } from '../../base/errors.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Name of the project's configuration file, searched for from the current folder upward. */
const projectFileName = 'innsigli.config.json';

/** The user's configuration file. @spec XDG Base Directory 0.8 */
export function userConfigFile(env: Environment): string {
  return join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'innsigli', 'config.json');
}

/** The data directory if none is configured. @spec XDG Base Directory 0.8 */
export function defaultDataDir(env: Environment): string {
  return join(xdgFolder(env, 'XDG_DATA_HOME', join('.local', 'share')), 'innsigli');
}

/** Path of the root certificate of the development trust in a data directory. */
export function developmentRootFile(dataDir: string): string {
  return join(dataDir, 'trust', 'root.pem');
}

/** Path of the SQLite database of a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'innsigli.db');
}

/** Path of the imported register of persons in a data directory. */
export function registerTableFile(dataDir: string): string {
  return join(dataDir, 'register', 'persons.table');
}

/** Path of the key that decrypts the encrypted values in the database of a data directory. */
export function vaultKeyFile(dataDir: string): string {
  return join(dataDir, 'vault.key');
}

/** A discovered project file. */
export interface FoundFile {
  readonly file: string;
  /** True if the file, a link to it or its folder belongs to another user who is not privileged. */
  readonly isForeign: boolean;
}

/**
 * Returns the nearest project configuration file at or above `cwd`. The search ends at a folder of
 * another user, at the home folder, and at the file system boundary: files above belong to no
 * project. Folders are compared by their real paths.
 */
export function findProjectFile(
  cwd: string,
  home: string,
  isThere: (file: string) => boolean = existsSync,
): FoundFile | undefined {
  let folder = realFolder(cwd);
  const last = realFolder(home);
  const { dev } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  for (;;) {
    const entry = statSync(folder, { throwIfNoEntry: false });
    if (entry === undefined || entry.dev !== dev) return undefined;
    const file = join(folder, projectFileName);
    const isForeign = isOfOther(entry);
    if (isThere(file)) return { file, isForeign: isForeign || isOfSomebodyElse(file) };
    const parent = dirname(folder);
    if (isForeign || folder === last || parent === folder) return undefined;
    folder = parent;
  }
}

function realFolder(path: string): string {
  return attemptAny(() => realpathSync(path)) ?? resolve(path);
}

/** Whether another user owns the file. A link counts as well as its target. */
function isOfSomebodyElse(file: string): boolean {
  return isOfOther(lstatSync(file)) || isOfOther(statSync(file));
}

/** Whether the owner is neither the current user nor the superuser. */
function isOfOther({ uid }: { readonly uid: number }): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

/** Resolves `path` against `base`. With `home`, a leading `~/` means the home folder. */
export function absolutePath(path: string, base: string, home?: Environment): string {
  if (home !== undefined && path.startsWith('~/')) return join(homeFolder(home), path.slice(2));
  return resolve(base, path);
}

/** The home folder of the user; `/` if the system has no entry for the user, as in containers. */
export function homeFolder(env: Environment): string {
  const named = env['HOME'];
  if (named && isAbsolute(named)) return named;
  // Taken from the password file: os.homedir() would accept an empty or relative HOME.
  return attemptAny(() => userInfo().homedir) ?? '/';
}

// The specification requires relative paths to be ignored.
function xdgFolder(env: Environment, variable: string, fallback: string): string {
  const folder = env[variable];
  return folder && isAbsolute(folder) ? folder : join(homeFolder(env), fallback);
}
